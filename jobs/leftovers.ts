// Files of a folder that no source reads, with the reason; unexplained ones stand out.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCsv } from '../src/sources/readers/csv.ts';
import { sources as allSources } from '../src/sources/index.ts';

export interface Leftovers {
  /** The files of each reason, in the order of the list; a reason without files is left out. */
  readonly explained: readonly { readonly reason: string; readonly paths: readonly string[] }[];
  readonly unexplained: readonly string[];
}

const NOT_CHOSEN = 'their source was not selected';

/** @param paths the files that no source of the run claims */
export async function leftoversOf(paths: readonly string[], referenceDir: string): Promise<Leftovers> {
  const reasons = await readReasons(referenceDir);
  const files = new Map([NOT_CHOSEN, ...reasons.map(({ reason }) => reason)].map((reason) => [reason, new Array<string>()]));
  const unexplained: string[] = [];
  for (const path of paths) {
    const reason = allSources.some((source) => source.owns(path)) ? NOT_CHOSEN : reasons.find(({ matches }) => matches(path))?.reason;
    if (reason === undefined) unexplained.push(path);
    else files.get(reason)?.push(path);
  }
  return { explained: [...files].flatMap(([reason, found]) => (found.length === 0 ? [] : [{ reason, paths: found }])), unexplained };
}

interface Reason {
  readonly matches: (path: string) => boolean;
  readonly reason: string;
}

/** `*` matches anything, folders too; the folder of a pattern may be inside others. The first matching pattern counts. */
async function readReasons(referenceDir: string): Promise<readonly Reason[]> {
  const body = await readFile(join(referenceDir, 'files/mirror_leftovers.csv'));
  const table = readCsv(body, { sourceId: 'mirror_leftovers.csv', required: ['pattern', 'reason'] });
  const [pattern, reason] = [table.text('pattern'), table.text('reason')];
  return table.rows.map((row) => {
    const parts = pattern(row)
      .split('*')
      .map((part) => part.replace(/[.\\+?^${}()|[\]]/g, '\\$&'));
    const whole = new RegExp(`^(?:.*/)?${parts.join('.*')}$`);
    return { matches: (path) => whole.test(path), reason: reason(row) };
  });
}
