// Documents of central banks over nights: all that the lists name, a night without news, one document more; and what a page is that says nothing yet.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bocDocuments } from '../../src/sources/boc/documents.ts';
import { boeDocuments } from '../../src/sources/boe/documents.ts';
import { ecbDocuments } from '../../src/sources/ecb/documents.ts';
import { fedStatements } from '../../src/sources/fed/statements.ts';
import { rbaDocuments } from '../../src/sources/rba/documents.ts';
import { riksbankDocuments } from '../../src/sources/riksbank/documents.ts';
import type { Source } from '../../src/sources/source.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';
import { fetchNight } from '../replay/nights.ts';
import { openReplay, type Replay } from '../replay/server.ts';

let replay: Replay;
let pipeline: Pipeline;
beforeAll(async () => {
  replay = await openReplay();
});
beforeEach(async () => {
  replay.forget();
  pipeline = await openPipeline();
});
afterEach(() => pipeline.remove());
afterAll(() => replay.close());

const fixture = (path: string) => readFileSync(join(import.meta.dirname, '../fixtures', path), 'utf8');
const html = (body: string) => () => ({ body, headers: { 'content-type': 'text/html; charset=utf-8' } });
const list = (...links: readonly string[]) =>
  html(`<!DOCTYPE html><html lang="en"><body>${links.map((link) => `<a href="${link}">x</a>`).join('')}</body></html>`);

const documents = () => pipeline.lake(`select document_id, observed_at from documents order by document_id`);
const idsOf = (rows: Awaited<ReturnType<typeof documents>>) => rows.map((row) => row['document_id']);

/** What the source told of a night, the documents after it, and whether each request was conditional. */
async function night(source: Source, at: string) {
  replay.forget();
  const { told, sources } = await fetchNight(pipeline, replay, [source], at);
  return {
    told: told[0],
    status: sources[0]?.status,
    ids: idsOf(await documents()),
    conditional: replay.asked.map(({ headers }) => headers['if-none-match'] !== undefined),
  };
}

describe('the Bank of England', () => {
  const SITE = 'www.bankofengland.co.uk/monetary-policy-summary-and-minutes';
  const PLACE = '/monetary-policy-summary-and-minutes';

  it('has the two documents of each page, once the page is more than an announcement', async () => {
    replay.serve(`${SITE}${PLACE}`, list(`${PLACE}/2030/march-2030`, `${PLACE}/2030/june-2030`));
    replay.serve(`${SITE}/2030/march-2030`, html(fixture('boe_documents/page.raw.html')));
    replay.serve(`${SITE}/2030/june-2030`, html(fixture('boe_documents/page-to-come.raw.html')));
    const march = ['doc_boe_minutes_20300321', 'doc_boe_policy_statement_20300321'];
    expect(await night(boeDocuments, '2030-05-01T06:00:00.000Z')).toMatchObject({
      told: 'boe_documents: done, 2/0/1/0',
      status: 'ok',
      ids: march,
    });
    // The announcement is requested again, because nothing of it is stored.
    expect(await night(boeDocuments, '2030-05-02T06:00:00.000Z')).toEqual({
      told: 'boe_documents: done, 0/1/1/0',
      status: 'ok',
      ids: march,
      conditional: [true, false],
    });
    const june = fixture('boe_documents/page.raw.html').replaceAll(/20 March|March/g, (text) => text.replace('March', 'June'));
    replay.serve(`${SITE}/2030/june-2030`, html(june));
    expect(await night(boeDocuments, '2030-06-21T11:05:00.000Z')).toMatchObject({
      told: 'boe_documents: done, 1/1/0/0',
      ids: ['doc_boe_minutes_20300321', 'doc_boe_minutes_20300621', ...march.slice(1), 'doc_boe_policy_statement_20300621'],
    });
  });

  it('fails if its list no longer names a page', async () => {
    replay.serve(`${SITE}${PLACE}`, html(fixture('boe_documents/list-without-pages.raw.html')));
    expect((await night(boeDocuments, '2030-05-01T06:00:00.000Z')).status).toBe('failed');
  });
});

describe('the Reserve Bank of Australia', () => {
  const SITE = 'www.rba.gov.au';

  const [DECISIONS, MINUTES] = [`${SITE}/monetary-policy/int-rate-decisions`, `${SITE}/monetary-policy/rba-board-minutes`];

  it('has decisions and minutes, not releases on other subjects; later only the lists of the year are requested', async () => {
    for (let year = 2015; year <= 2030; year += 1)
      replay.serve(`${DECISIONS}/${year}/`, list('/media-releases/2030/mr-30-10.html', '/media-releases/2030/mr-30-09.html'));
    for (let year = 2006; year <= 2030; year += 1)
      replay.serve(`${MINUTES}/${year}/`, list('/monetary-policy/rba-board-minutes/2030/2030-04-02.html'));
    replay.serve(`${SITE}/media-releases/2030/mr-30-09.html`, html(fixture('rba_documents/decision.raw.html')));
    replay.serve(`${SITE}/media-releases/2030/mr-30-10.html`, html(fixture('rba_documents/release-on-strategy.raw.html')));
    replay.serve(`${MINUTES}/2030/2030-04-02.html`, html(fixture('rba_documents/page-of-two-days.raw.html')));
    const ids = ['doc_rba_minutes_20300402', 'doc_rba_other_20300402_mr3010', 'doc_rba_policy_statement_20300402'];
    expect(await night(rbaDocuments, '2030-05-01T06:00:00.000Z')).toMatchObject({
      told: expect.stringContaining('done'),
      status: 'ok',
      ids,
    });
    expect(await night(rbaDocuments, '2030-05-02T06:30:00.000Z')).toEqual({
      told: 'rba_documents: done, 0/2/0/0',
      status: 'ok',
      ids,
      conditional: [true, true],
    });
  });
});

describe('the Bank of Canada', () => {
  const SITE = 'www.bankofcanada.ca';

  it('has each announcement, known from its download if that is on the same day', async () => {
    const july = '/2030/07/fad-press-release-2030-07-17/';
    replay.serve(`${SITE}/press/press-releases/`, list(`https://${SITE}${july}`));
    replay.serve(`${SITE}${july}`, html(fixture('boc_documents/page.raw.html')));
    const ids = ['doc_boc_policy_statement_20300717'];
    expect(await night(bocDocuments, '2030-07-17T13:50:00.000Z')).toMatchObject({
      told: 'boc_documents: done, 2/0/0/0',
      status: 'ok',
      ids,
    });
    expect(String((await documents())[0]?.['observed_at'])).toContain('2030-07-17T13:50');
    expect(await night(bocDocuments, '2030-07-18T14:00:00.000Z')).toEqual({
      told: 'boc_documents: done, 0/1/0/0',
      status: 'ok',
      ids,
      conditional: [true],
    });
    // What no longer stands in the list is not gone.
    replay.serve(`${SITE}/press/press-releases/`, list('/2030/09/fad-press-release-2030-09-04/'));
    const september = fixture('boc_documents/page.raw.html')
      .replace('July 17, 2030', 'September 4, 2030')
      .replace('is September 4', 'is October 23');
    replay.serve(`${SITE}/2030/09/fad-press-release-2030-09-04/`, html(september));
    expect(await night(bocDocuments, '2030-09-04T13:50:00.000Z')).toMatchObject({
      told: 'boc_documents: done, 2/0/0/0',
      ids: [...ids, 'doc_boc_policy_statement_20300904'],
    });
  });
});

describe('the Riksbank', () => {
  it('has no document if all of them are PDF; each is reported as not read', async () => {
    const place = 'www.riksbank.se/en-gb/monetary-policy/monetary-policy-report';
    for (const path of ['monetary-policy-decision-documents', 'minutes-of-the-executive-boards-monetary-policy-meetings'])
      replay.serve(`${place}/${path}/`, html(fixture('riksbank_documents/list.raw.html')));
    const first = await night(riksbankDocuments, '2030-05-01T06:00:00.000Z');
    expect(first).toMatchObject({ told: 'riksbank_documents: done, 2/0/0/0', ids: [] });
    const named = await pipeline.lake(
      `select distinct period, reason from quarantine where source_id = 'riksbank_documents' order by period nulls last`,
    );
    expect(named).toEqual([
      { period: '2030-03-26', reason: expect.stringMatching(/PDF alone, which is not read: .*minutes-march-2030\.pdf$/) },
      { period: null, reason: expect.stringMatching(/PDF alone, which is not read: .*other\.pdf$/) },
    ]);
    expect((await night(riksbankDocuments, '2030-05-02T08:00:00.000Z')).conditional).toEqual([true, true]);
  });
});

describe('minutes of the Federal Reserve and accounts of the ECB', () => {
  it('come by the list of meetings, known three weeks after the meeting', async () => {
    replay.serve('www.federalreserve.gov/monetarypolicy/fomccalendars.htm', list('/monetarypolicy/fomcminutes20300320.htm'));
    replay.serve('www.federalreserve.gov/monetarypolicy/fomcminutes20300320.htm', html(fixture('fed_statements/minutes-page.raw.html')));
    const ids = ['doc_fed_minutes_20300320'];
    expect(await night(fedStatements, '2030-04-10T18:05:00.000Z')).toMatchObject({
      told: 'fed_statements: done, 2/0/0/0',
      status: 'ok',
      ids,
    });
    expect(await night(fedStatements, '2030-04-11T18:30:00.000Z')).toMatchObject({
      told: 'fed_statements: done, 0/1/0/0',
      ids,
      conditional: [true],
    });
  });

  it('come by the list of accounts of each year', async () => {
    const site = 'www.ecb.europa.eu';
    for (const path of ['/press/govcdec/mopo', '/press/press_conference/monetary-policy-statement', '/press/accounts'])
      for (let year = 2015; year <= 2030; year += 1) {
        const isIt = path === '/press/accounts' && year === 2030;
        const links = isIt ? ['/press/accounts/2030/html/ecb.mg300110~0a1b2c3d4e.en.html'] : [];
        replay.serve(`${site}${path}/${year}/html/index_include.en.html`, list(...links));
      }
    replay.serve(
      `${site}/press/accounts/2030/html/ecb.mg300110~0a1b2c3d4e.en.html`,
      html(fixture('ecb_documents/account-page-without-its-day.raw.html')),
    );
    const ids = ['doc_ecb_minutes_20300110'];
    expect(await night(ecbDocuments, '2030-02-10T13:00:00.000Z')).toMatchObject({
      told: 'ecb_documents: done, 49/0/0/0',
      status: 'ok',
      ids,
    });
    expect(await night(ecbDocuments, '2030-02-11T14:00:00.000Z')).toMatchObject({
      told: 'ecb_documents: done, 0/3/0/0',
      ids,
      conditional: [true, true, true],
    });
  });
});
