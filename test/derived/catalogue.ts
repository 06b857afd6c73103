// data/reference/derived_indicators.csv, read by another parser than the one that the builds use.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';

const Row = z.object({
  slug: z.string(),
  dataset_no: z.string(),
  family: z.string(),
  method: z.string(),
  input: z.string(),
  months: z.string(),
});

export const derivedIndicators = z
  .array(Row)
  .parse(parse(readFileSync(join(import.meta.dirname, '../../data/reference/derived_indicators.csv')), { columns: true }));
