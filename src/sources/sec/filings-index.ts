// EDGAR's lists of filings: the folder of a quarter, and the filings of a day.
import { z } from 'zod';
import { UpstreamError } from '../upstream-error.ts';
import { readJson } from '../readers/json.ts';
import { decodeText, excerpt, refuseMarkup } from '../readers/text.ts';

const Folder = z.looseObject({ directory: z.looseObject({ item: z.array(z.looseObject({ name: z.string() })).min(1) }) });

/** Days of the quarter with a list, `20260105`, ascending. */
export function readQuarter(sourceId: string, body: Uint8Array): readonly string[] {
  const { item } = readJson(sourceId, body, Folder).directory;
  return item.flatMap(({ name }) => /^master\.(\d{8})\.idx$/.exec(name)?.[1] ?? []).toSorted();
}

export interface IndexedFiling {
  /** Of ten digits. */
  readonly cik: string;
  readonly form: string;
}

const HEADER = 'CIK|Company Name|Form Type|Date Filed|File Name';

export function readDailyIndex(sourceId: string, body: Uint8Array): readonly IndexedFiling[] {
  const text = decodeText(sourceId, body, 'windows-1252');
  refuseMarkup(sourceId, text, 'an index');
  if (!text.endsWith('\n'))
    throw new UpstreamError(sourceId, `the last line is not ended, the index is truncated: ${excerpt(text.slice(-40))}`);
  const lines = text.split(/\r?\n/);
  const header = lines.findIndex((line) => line.trim() === HEADER);
  if (header === -1) throw new UpstreamError(sourceId, `expected the columns ${HEADER}, found ${excerpt(text, 120)}`);
  return lines.slice(header + 1).flatMap((line) => {
    if (line.trim() === '' || /^-+$/.test(line.trim())) return [];
    const cells = line.split('|');
    const [cik = '', , form = ''] = cells;
    if (cells.length !== 5 || !/^\d{1,10}$/.test(cik)) throw new UpstreamError(sourceId, `expected a filing, found ${excerpt(line)}`);
    return [{ cik: cik.padStart(10, '0'), form }];
  });
}
