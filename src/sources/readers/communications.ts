// A CSV of a central bank's texts: Date, Release Date, Type, Text; newest first, with line breaks inside the text.
import { isDay } from '../../model/period.ts';
import { UpstreamError } from '../upstream-error.ts';
import { readCsv } from './csv.ts';
import { excerpt } from './text.ts';

export interface Communication {
  readonly line: number;
  readonly date: string;
  /** null if the column is empty. */
  readonly releaseDate: string | null;
  readonly type: string;
  readonly text: string;
}

export function readCommunications(sourceId: string, body: Uint8Array, types: readonly string[]): readonly Communication[] {
  const table = readCsv(body, { sourceId, required: ['Date', 'Release Date', 'Type', 'Text'] });
  const [date, released, type, text] = [table.text('Date'), table.text('Release Date'), table.text('Type'), table.text('Text')];
  const rows = table.rows.map((row) => ({
    line: row.line,
    date: date(row),
    releaseDate: released(row) === '' ? null : released(row),
    type: type(row),
    text: text(row),
  }));
  if (rows.length === 0) throw new UpstreamError(sourceId, 'the file has a header but no rows');
  for (const row of rows) {
    const fault =
      [row.date, row.releaseDate].find((day) => day !== null && !isDay(day)) ??
      (types.includes(row.type) ? undefined : row.type) ??
      (row.text.trim() === '' ? '' : undefined);
    if (fault !== undefined) {
      throw new UpstreamError(
        sourceId,
        `expected days, a type of ${types.join(', ')} and a text on line ${row.line}, found ${excerpt(fault)}`,
      );
    }
  }
  return rows;
}
