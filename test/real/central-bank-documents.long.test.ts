// The documents of the ECB, the Bank of England, the RBA, the Riksbank and the Bank of Canada: counts and times compared by hand with the files of the mirror.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bocDocuments } from '../../src/sources/boc/documents.ts';
import { boeDocuments } from '../../src/sources/boe/documents.ts';
import { ecbDocuments } from '../../src/sources/ecb/documents.ts';
import { rbaDocuments } from '../../src/sources/rba/documents.ts';
import { riksbankDocuments } from '../../src/sources/riksbank/documents.ts';
import type { DocumentRecord } from '../../src/model/record.ts';
import type { Source } from '../../src/sources/source.ts';

const ROOT = process.env['REAL_DATA_DIR'] ?? '../shared/real-data';
const FOLDER = 'central-bank-text';
const SOURCES: readonly Source[] = [ecbDocuments, boeDocuments, rbaDocuments, riksbankDocuments, bocDocuments];

async function readAll(): Promise<DocumentRecord[]> {
  // The pages as they were sent are the same documents again: wire-pages.test.ts.
  const files = readdirSync(join(ROOT, FOLDER), { recursive: true, encoding: 'utf8' })
    .map((file) => `${FOLDER}/${file}`)
    .filter((file) => !file.includes('/html/'));
  const documents: DocumentRecord[] = [];
  for (const source of SOURCES) {
    for (const key of files.filter(source.owns)) {
      const body = new Uint8Array(readFileSync(join(ROOT, key)));
      for await (const batch of source.normalise({ key, body, retrievedAt: '2026-11-20T10:00:00.000Z' })) {
        if (batch.kind === 'documents') documents.push(...batch.rows);
      }
    }
  }
  return documents;
}

describe.skipIf(!existsSync(ROOT))('the documents of five central banks', async () => {
  const documents = existsSync(ROOT) ? await readAll() : [];
  const byId = new Map(documents.map((document) => [document.documentId, document]));

  it('are each read once, by bank and type', () => {
    expect(byId.size).toBe(documents.length);
    const counts: Record<string, number> = {};
    for (const { entityId, documentType } of documents)
      counts[`${entityId} ${documentType}`] = (counts[`${entityId} ${documentType}`] ?? 0) + 1;
    expect(counts).toEqual({
      'cb_ecb policy_statement': 55,
      'cb_ecb policy_decision': 55,
      'cb_ecb minutes': 8,
      'cb_boe policy_statement': 17,
      'cb_boe minutes': 17,
      'cb_rba minutes': 33,
      'cb_riksbank policy_statement': 23,
      'cb_riksbank minutes': 10,
      'cb_boc policy_statement': 4,
    });
  });

  it.each([
    ['doc_ecb_policy_decision_20190124', '2019-01-24T12:45:00.000Z', '2019-01-24', '13:45 CET, as the press conference was at 14:30'],
    ['doc_ecb_policy_decision_20240606', '2024-06-06T12:15:00.000Z', '2024-06-06', '14:15 CEST, as the press conference was at 14:45'],
    ['doc_ecb_policy_statement_20240606', '2024-06-06T23:59:59.999Z', '2024-06-06', 'a page that holds the transcript too'],
    ['doc_ecb_minutes_20250116', '2025-01-16T23:59:59.999Z', '2024-12-12', 'five weeks after the meeting'],
    ['doc_boe_policy_statement_20240321', '2024-03-21T12:00:00.000Z', '2024-03-20', 'noon in London; the file is called 20240301'],
    ['doc_boe_minutes_20260205', '2026-02-24T23:59:59.999Z', '2026-02-04', 'corrected 19 days later'],
    ['doc_rba_minutes_20120403', '2012-04-17T23:59:59.999Z', '2012-04-03', 'in a file called 03042012'],
    ['doc_riksbank_policy_statement_20260129', '2026-01-29T08:30:00.000Z', '2026-01-28', 'notified at 9.30'],
    ['doc_riksbank_policy_statement_20260319', '2026-03-20T23:59:59.999Z', '2026-03-18', 'corrected the day after'],
    ['doc_riksbank_minutes_20260325', '2026-03-25T23:59:59.999Z', '2026-03-18', 'hour not stated'],
    ['doc_boc_policy_statement_20251210', '2025-12-10T23:59:59.999Z', '2025-12-10', 'hour not stated'],
  ])('show %s as known at %s, of the meeting of %s: %s', (id, observedAt, eventDate) => {
    expect(byId.get(id)).toMatchObject({ observedAt, eventDate });
  });

  it('are complete, without the frame of the page, the questions of the press and lines broken by links', () => {
    for (const { text, documentId } of documents) {
      expect
        .soft(text, documentId)
        .not.toMatch(/[\u0080-\u009f\u00a0\t]|Related topics|@ecb\.europa\.eu|Reproduction is permitted|<[a-z]|Correction made on/);
      expect.soft(text.length, documentId).toBeGreaterThan(documentId.includes('minutes') ? 8_000 : 800);
      expect.soft(text.length, documentId).toBeLessThan(documentId.includes('minutes') ? 80_000 : 20_000);
    }
    expect(byId.get('doc_ecb_policy_statement_20190124')?.text).toContain('we decided to keep the key ECB interest rates unchanged.');
    expect(byId.get('doc_rba_minutes_20120403')?.text).not.toContain('Related Information');
  });
});
