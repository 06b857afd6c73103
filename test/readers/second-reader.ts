// Payloads read twice: by the service's sources, and by test/peers/readers.py, which shares nothing with them.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { sources } from '../../src/sources/index.ts';
import type { Source } from '../../src/sources/source.ts';

const SCRIPT = join(import.meta.dirname, '../peers/readers.py');
const PYTHON = process.env['PEERS_PYTHON'] ?? 'python3';

/** Python 3.9 or later with the world's time zones; nothing of it is installed. */
export const hasPython =
  spawnSync(PYTHON, ['-c', "import sys, zoneinfo; zoneinfo.ZoneInfo('America/New_York'); sys.exit(sys.version_info < (3, 9))"]).status ===
  0;

export interface Asked {
  readonly source: string;
  readonly key: string;
  readonly retrievedAt: string;
  readonly path: string;
  /** A further payload on which the reading rests. */
  readonly beside?: string;
  /** Where a reading too large for one line is written. */
  readonly out?: string;
}

type Row = Readonly<Record<string, unknown>>;
export type Kinds = Readonly<Record<string, readonly Row[]>>;

const Answer = z.record(z.string(), z.union([z.array(z.record(z.string(), z.unknown())), z.string()]));

/** What the second reader makes of the payloads, in their order. */
export function readTwice(asked: readonly Asked[]): readonly Record<string, readonly Row[] | string>[] {
  const input = asked.map((payload) => `${JSON.stringify(payload)}\n`).join('');
  const run = spawnSync(PYTHON, [SCRIPT], { input, encoding: 'utf8', maxBuffer: 2 ** 30 });
  if (run.status !== 0) throw new Error(`${asked.map(({ key }) => key).join(', ')}: ${run.stderr.slice(-2000)}`);
  return run.stdout
    .trim()
    .split('\n')
    .map((line) => Answer.parse(JSON.parse(line)));
}

export function sourceOf(id: string): Source {
  const source = sources.find((one) => one.id === id);
  if (source === undefined) throw new Error(`no source is called ${id}`);
  return source;
}

/** What the source itself makes of a payload. */
export async function readOnce({ source: id, key, retrievedAt, path }: Asked): Promise<Kinds> {
  const source = sourceOf(id);
  const rows: Record<string, Row[]> = {};
  for await (const batch of source.normalise({ key, retrievedAt, body: new Uint8Array(readFileSync(path)) })) {
    rows[batch.kind] ??= [];
    for (const row of batch.rows) rows[batch.kind]?.push({ ...row });
  }
  return rows;
}

const squeezed = (text: unknown): string =>
  String(text)
    .normalize('NFC')
    .replace(/[\s\u00ad\u200b\ufeff]+/g, '');

/** The blanks between words and the wording of a refusal are left to each reader; all else is to be equal. */
function comparable(kind: string, row: Row): Row {
  if (kind === 'refused') return { ...row, reason: null };
  // The second reader reads no flags: test/readers/obs-status.test.ts has them.
  if (kind === 'observations') return { ...row, obsStatus: null };
  return kind === 'documents' ? { ...row, title: squeezed(row['title']), text: squeezed(row['text']) } : row;
}

function lineOf(kind: string, row: Row): string {
  const told = comparable(kind, row);
  const fields = Object.keys(told).sort();
  let line = '';
  for (const field of fields) {
    const value = told[field];
    if (value === null || value === undefined) continue;
    line += `${field}=${typeof value === 'string' ? value : JSON.stringify(sorted(value))} (${typeof value})|`;
  }
  return line;
}

/** Lists as they stand, fields by name. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, cell]) => [name, sorted(cell)]);
}

export interface Difference {
  readonly rows: number;
  /** Rows that only one of the two readers has, the first few of each. */
  readonly onlyOurs: readonly string[];
  readonly onlyTheirs: readonly string[];
}

const SHOWN = 5;

/** Every row of both, as often as it stands there. */
export function differenceOf(ours: Kinds, theirs: Readonly<Record<string, readonly Row[] | string>>): Difference {
  let rows = 0;
  const [onlyOurs, onlyTheirs]: [string[], string[]] = [[], []];
  for (const kind of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const counts = new Map<string, number>();
    const told = theirs[kind] ?? [];
    if (typeof told === 'string') throw new Error(`${kind} was written to ${told}`);
    for (const row of ours[kind] ?? []) {
      const line = lineOf(kind, row);
      counts.set(line, (counts.get(line) ?? 0) + 1);
      rows += 1;
    }
    for (const row of told) {
      const line = lineOf(kind, row);
      const left = counts.get(line) ?? 0;
      if (left > 0) counts.set(line, left - 1);
      else if (onlyTheirs.length < SHOWN) onlyTheirs.push(`${kind} ${line.slice(0, 600)}`);
    }
    for (const [line, left] of counts) if (left > 0 && onlyOurs.length < SHOWN) onlyOurs.push(`${kind} ${line.slice(0, 600)}`);
  }
  return { rows, onlyOurs, onlyTheirs };
}
