// Parameters that every read of vintages binds, with the names of the macros' parameters.
import { z } from 'zod';

export const filterParams = {
  seriesFrom: z.int(),
  seriesTo: z.int(),
  seriesNos: z.array(z.int()).nullable(),
  asOf: z.string().nullable(),
  observedFrom: z.string().nullable(),
  observedTo: z.string().nullable(),
  periodFrom: z.string().nullable(),
  periodTo: z.string().nullable(),
  releaseNumber: z.int().nullable(),
  backfill: z.boolean().nullable(),
};
