// The feeds of the served snapshot, for readers without a key. Only the fixed names are files, so no path of a visitor reaches the disk.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ifThere } from '../../disk/if-there.ts';
import { fileState } from '../../disk/own-file.ts';
import { feedFiles, type SnapshotPaths } from '../manifest.ts';

export interface ServedFeed {
  readonly contentType: string;
  readonly body: Buffer;
  readonly gzip: Buffer;
  /** Hash of the body. */
  readonly tag: string;
}

export interface ServedFeeds {
  /** By the end of its address. `unknown`: there is no such feed; null: the night has not written it yet. */
  readonly find: (name: string) => Promise<ServedFeed | null | 'unknown'>;
}

/** @param served the folder that is served now; null if nothing is */
export function openFeeds(served: () => Pick<SnapshotPaths, 'feeds'> | null): ServedFeeds {
  const kept = new Map<string, { readonly state: string; readonly feed: ServedFeed }>();
  return {
    async find(name) {
      const paths = served();
      if (paths === null) return null;
      const path = feedFiles(paths).find((one) => basename(one) === name);
      if (path === undefined) return 'unknown';
      const state = fileState(path);
      const known = kept.get(path);
      if (known?.state === state) return known.feed;
      const body = await ifThere(readFile(path));
      if (body === null) return null;
      const tag = createHash('sha256').update(body).digest('base64url').slice(0, 27);
      const feed = { contentType: 'application/atom+xml; charset=utf-8', body, gzip: gzipSync(body), tag };
      kept.set(path, { state, feed });
      return feed;
    },
  };
}
