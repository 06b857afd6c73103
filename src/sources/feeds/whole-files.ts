// Feeds of files with whole histories: each is requested again when it is due.
import { isKeyDue, type Publication } from './due.ts';
import type { Feed, Held, Request } from './feed.ts';
import type { PublisherId } from '../publishers.ts';

export interface WholeFilesRule {
  readonly everyHours?: number;
  readonly publication?: Publication | null;
}

/** One check after the hour of publication is enough, because not every day has news. */
export function isFileDue(now: string, held: Held, key: string, { everyHours = 24, publication = null }: WholeFilesRule = {}): boolean {
  return isKeyDue(now, held, key, { everyHours, publication, isOnce: true });
}

export function wholeFilesFeed(publisher: PublisherId, files: readonly Request[], rule: WholeFilesRule = {}): Feed {
  const dueOf = (now: string, held: Held) => files.filter(({ key }) => isFileDue(now, held, key, rule));
  return {
    publisher,
    isDue: (now, held) => dueOf(now, held).length > 0,
    *plan(now, held) {
      yield* dueOf(now, held);
    },
  };
}

/** CSV files of a folder: name → address. */
export const csvFiles = (folder: string, addresses: Readonly<Record<string, string>>): Request[] =>
  Object.entries(addresses).map(([name, url]) => ({ key: `${folder}/${name}.csv`, url }));
