// Row counts and values compared by hand with the files of the mirror.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fedStatements } from '../../src/sources/fed/statements.ts';
import type { DocumentRecord } from '../../src/model/record.ts';

const ROOT = process.env['REAL_DATA_DIR'] ?? '../shared/real-data';
const FOLDER = 'central-bank-text/fed';

async function readAll(): Promise<DocumentRecord[]> {
  const keys = readdirSync(join(ROOT, FOLDER), { recursive: true, encoding: 'utf8' })
    .map((file) => `${FOLDER}/${file}`)
    // The pages as they were sent are the same documents again: wire-pages.test.ts.
    .filter((key) => fedStatements.owns(key) && !key.includes('/html/'));
  const documents: DocumentRecord[] = [];
  for (const key of keys) {
    const body = new Uint8Array(readFileSync(join(ROOT, key)));
    for await (const batch of fedStatements.normalise({ key, body, retrievedAt: '2026-11-20T10:00:00.000Z' })) {
      if (batch.kind === 'documents') documents.push(...batch.rows);
    }
  }
  return documents;
}

describe.skipIf(!existsSync(ROOT))('the documents of the Federal Reserve', async () => {
  const documents = existsSync(ROOT) ? await readAll() : [];
  const byId = new Map(documents.map((document) => [document.documentId, document]));
  const ofType = (type: string) => documents.filter(({ documentType }) => documentType === type);

  it('are each read once: 1994 to 2010 as text, then as pages', () => {
    expect(byId.size).toBe(documents.length);
    expect([ofType('policy_statement').length, ofType('minutes').length, ofType('other').length]).toEqual([231, 23, 7]);
  });

  it('are other releases if the Committee decided on no policy', () => {
    expect(
      ofType('other')
        .map(({ eventDate }) => eventDate)
        .sort(),
    ).toEqual([
      '2007-08-10', // liquidity
      '2008-03-11', // term securities lending and swap lines
      '2010-05-09', // swap lines
      '2019-10-11', // implementation
      '2020-03-31', // FIMA repo facility
      '2020-08-27', // longer-run goals
      '2025-08-22', // longer-run goals
    ]);
  });

  it.each([
    ['doc_fed_policy_statement_20200303', '2020-03-03T15:00:00.000Z', '10:00 EST'],
    ['doc_fed_policy_statement_20200315', '2020-03-15T21:00:00.000Z', '17:00 EDT, a Sunday'],
    ['doc_fed_policy_statement_20200323', '2020-03-23T12:00:00.000Z', '08:00 EDT'],
    ['doc_fed_policy_statement_20241218', '2024-12-18T19:00:00.000Z', '14:00 EST'],
    ['doc_fed_policy_statement_20110809', '2011-08-09T23:59:59.999Z', 'hour not stated'],
    ['doc_fed_policy_statement_20070628', '2007-06-28T23:59:59.999Z', 'in a file called 20070618'],
    ['doc_fed_minutes_20241218', '2025-01-08T19:00:00.000Z', 'three weeks after the meeting'],
  ])('show %s as known at %s: %s', (id, observedAt) => {
    expect(byId.get(id)?.observedAt).toBe(observedAt);
  });

  it('are complete, in clean Unicode and without the frame of the page', () => {
    for (const { text, documentId } of documents) {
      expect.soft(text, documentId).not.toMatch(/[\u0080-\u009f\u00a0]|Please enable JavaScript|Last Update|For release at|<[a-z]/);
      expect.soft(text.length, documentId).toBeGreaterThan(documentId.includes('minutes') ? 40_000 : 200);
    }
    expect(byId.get('doc_fed_minutes_20231101')?.title).toBe('Minutes of the Federal Open Market Committee, October 31–November 1, 2023');
    expect(byId.get('doc_fed_policy_statement_20200303')?.text).toContain('1 to 1‑1/4 percent');
  });
});
