// The received part of a body that was cut off, stored so that the next request asks only for the rest.
import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../disk/durable.ts';

const Note = z.strictObject({ url: z.string(), validator: z.string(), bytes: z.int(), sha256: z.string() });

export interface Partial {
  readonly body: Uint8Array;
  /** A strong ETag, else Last-Modified, because the rest of another content would not fit. */
  readonly validator: string;
}

export interface Partials {
  readonly read: (url: string) => Promise<Partial | null>;
  readonly write: (url: string, partial: Partial) => Promise<void>;
  readonly remove: (url: string) => Promise<void>;
}

/** Nothing is kept. */
export const NO_PARTIALS: Partials = { read: async () => null, write: async () => undefined, remove: async () => undefined };

export function partialsIn(folder: string): Partials {
  const pathOf = (url: string) => join(folder, createHash('sha256').update(url).digest('hex'));
  return {
    async read(url) {
      const [text, body] = await Promise.all([
        readFile(`${pathOf(url)}.json`, 'utf8').catch(() => ''),
        readFile(pathOf(url)).catch(() => null),
      ]);
      const note = Note.safeParse(jsonOf(text)).data;
      if (note === undefined || body === null || note.url !== url) return null;
      return body.length === note.bytes && sha256Of(body) === note.sha256 ? { body, validator: note.validator } : null;
    },
    async write(url, { body, validator }) {
      await writeDurably(pathOf(url), body);
      await writeDurably(`${pathOf(url)}.json`, JSON.stringify({ url, validator, bytes: body.length, sha256: sha256Of(body) }));
    },
    async remove(url) {
      await rm(`${pathOf(url)}.json`, { force: true });
      await rm(pathOf(url), { force: true });
    },
  };
}

const sha256Of = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex');

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
