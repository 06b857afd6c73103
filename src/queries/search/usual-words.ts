// The words of data/reference/search_words.csv: how people call things, beside their names. Add a question to
// test/fixtures/search/questions.csv with each new phrase.
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';

const FILE = new URL('../../../data/reference/search_words.csv', import.meta.url);

const Line = z.strictObject({
  kind: z.enum(['entity', 'indicator', 'series', 'source']),
  id: z.string().min(1),
  /** Its place among those that answer equally well; empty for most. */
  place: z.string().transform((text) => (text === '' ? undefined : Number(text))),
  words: z.string().transform((text) => text.split(';').filter((phrase) => phrase !== '')),
});
type Line = z.output<typeof Line>;

export interface SearchWords {
  readonly wordsOf: (kind: Line['kind'], id: string) => readonly string[];
  readonly placeOf: (kind: Line['kind'], id: string) => number | undefined;
}

export function readSearchWords(text = readFileSync(FILE, 'utf8')): SearchWords {
  const lines = new Map(
    z
      .array(Line)
      .parse(parse(text, { columns: true }))
      .map((line) => [`${line.kind} ${line.id}`, line]),
  );
  const lineOf = (kind: Line['kind'], id: string) => lines.get(`${kind} ${id}`);
  return { wordsOf: (kind, id) => lineOf(kind, id)?.words ?? [], placeOf: (kind, id) => lineOf(kind, id)?.place };
}
