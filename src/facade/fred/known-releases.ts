// The releases of the service's calendar, by FRED's numbers, with the series that each brings.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { FacadeError } from '../failure.ts';
import type { Standing } from '../standing.ts';

const LISTED = join(import.meta.dirname, '../../../data/reference/releases.csv');
const Listed = z.array(z.object({ name: z.string(), codes: z.string() }));

/** The releases with a FRED number, by number. */
const RELEASES: readonly { readonly id: number; readonly name: string }[] = Listed.parse(
  parse(readFileSync(LISTED, 'utf8'), { columns: true }),
)
  .flatMap(({ name, codes }) =>
    codes
      .split(';')
      .flatMap((code) => /^fred_releases=(\d+)$/.exec(code)?.[1] ?? [])
      .map((id) => ({ id: Number(id), name })),
  )
  .toSorted((a, b) => a.id - b.id);

const Entry = z.object({
  title: z.string(),
  country: z.string().nullable(),
  indicatorId: z.string().nullable(),
  scheduledAt: z.string(),
  status: z.enum(['scheduled', 'released', 'postponed', 'cancelled', 'unconfirmed']),
});
export type Entry = z.infer<typeof Entry>;

interface Release {
  /** FRED's number. */
  readonly id: number;
  readonly name: string;
  readonly entries: readonly Entry[];
  /** The indicators whose prints the calendar expects from it. */
  readonly carried: ReadonlySet<string>;
}

/** The releases that are in the calendar, by FRED's number. */
export async function knownReleases(standing: Standing): Promise<readonly Release[]> {
  const byTitle = new Map<string, Entry[]>();
  for (const entry of z.array(Entry).parse(await standing.calendar())) {
    const own = byTitle.get(entry.title);
    if (own === undefined) byTitle.set(entry.title, [entry]);
    else own.push(entry);
  }
  return RELEASES.flatMap(({ id, name }) => {
    const entries = byTitle.get(name);
    return entries === undefined ? [] : [{ id, name, entries, carried: new Set(entries.flatMap(({ indicatorId }) => indicatorId ?? [])) }];
  });
}

export async function releaseOf(standing: Standing, id: number): Promise<Release> {
  const known = await knownReleases(standing);
  const release = known.find((one) => one.id === id);
  if (release !== undefined) return release;
  const names = known.map((one) => `${one.id} (${one.name})`).join(', ') || 'none';
  throw new FacadeError(400, `Bad Request. Unknown release ${id}. Known releases: ${names}.`);
}
