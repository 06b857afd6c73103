import { z } from 'zod';

/** An object with whatever members there are: what a method, a rule or a publisher says beside the fields that all have. */
export const JsonObject = z.record(z.string(), z.unknown()).meta({ id: 'JsonObject' });
