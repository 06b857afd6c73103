import { z } from 'zod';

/** An object with free members: details that a method, a rule or a publisher adds to the common fields. */
export const JsonObject = z.record(z.string(), z.unknown()).meta({ id: 'JsonObject' });
