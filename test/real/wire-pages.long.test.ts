// The pages of the Federal Reserve and the ECB as they were sent say what the collection of them as JSON says.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REAL_DATA } from '../pipeline.ts';
import { tell } from '../readers/read.ts';

const FOLDERS = [
  ['fed_statements', 'central-bank-text/fed/statements', 7],
  ['ecb_documents', 'central-bank-text/ecb/decisions', 4],
  ['ecb_documents', 'central-bank-text/ecb/statements', 2],
] as const;

describe.skipIf(!existsSync(join(REAL_DATA, 'central-bank-text')))('the pages of a wire', () => {
  const read = (path: string) => readFileSync(join(REAL_DATA, path), 'utf8');

  it.each(FOLDERS)('of %s in %s equal the documents from their publishers', async (id, folder, count) => {
    const days = readdirSync(join(REAL_DATA, folder, 'html')).map((name) => name.replace('.html', ''));
    expect(days.length).toBe(count);
    for (const day of days) {
      const page = await tell(id, `${folder}/html/${day}.html`, read(`${folder}/html/${day}.html`));
      const twin = await tell(id, `${folder}/${day}.json`, read(`${folder}/${day}.json`));
      expect(page.batches).toEqual(twin.batches);
    }
  });
});
