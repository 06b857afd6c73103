// The sentiment of central banks' documents, from their files to the published vintages: knowledge time, vintages, later lexicons, odd texts.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { derive } from '../../jobs/derive.ts';
import { toText, toValue, type Value } from '../../src/db/rows.ts';
import { derivedSeries, listDerivedObservations } from '../../src/queries/derived.ts';
import { publish } from '../../src/snapshot/build/publish.ts';
import { compareWithLakeOfThen } from '../story/look-ahead/lake-of-then.ts';
import { type Files, openPipeline, type Pipeline, STOPPED, UNFILTERED } from '../pipeline.ts';
import { isLong } from '../suite.ts';

const HAWKISH = 'Inflation has risen. The labour market is tight. The Bank decided to raise the policy rate.';
const DOVISH = 'Inflation has fallen. Unemployment has risen. The Bank decided to cut the policy rate.';
const MIXED = 'Inflation has risen. Unemployment has risen. Demand is weak.';

const page = (bank: string, type: string, url: string, text: string) =>
  JSON.stringify({ bank_id: bank, doc_type: type, title: 'A title', source_url: url, language: 'en', text });

function ecbStatement(day: string, written: string, text: string): Files {
  const body = page(
    'ecb',
    'statement',
    'https://www.ecb.europa.eu/x',
    `STATEMENT\nFrankfurt am Main, ${written}\nJump to the transcript of the questions and answers\n${text}\n* * *\nA question.`,
  );
  return { [`central-bank-text/ecb/statements/${day.replaceAll('-', '')}.json`]: body };
}

function boePage(first: string, meeting: string, summary: string): Files {
  const text = `Monetary Policy Summary\n${summary}\nMinutes of the Monetary Policy Committee meeting ending on ${meeting}\n1: ${DOVISH}`;
  return { [`central-bank-text/boe/minutes/${first}.json`]: page('boe', 'minutes', 'https://www.bankofengland.co.uk/x', text) };
}

function rbaMinutes(file: string, written: string, text: string): Files {
  const body = page('rba', 'minutes', 'https://www.rba.gov.au/x', `Minutes of the Monetary Policy Meeting\nSydney – ${written}\n${text}`);
  return { [`central-bank-text/rba/minutes/${file}.json`]: body };
}

const riksbank = (rows: readonly (readonly [string, string, string])[]): Files => ({
  'central-bank-text/communications_riksbank.csv': [
    'Date,Release Date,Type,Text',
    ...rows.map(([date, type, text]) => `${date},,${type},"${text}"`),
    '',
  ].join('\n'),
});

const FIRST: Files = {
  ...ecbStatement('2024-01-25', '25 January 2024', DOVISH),
  ...ecbStatement('2024-03-07', '7 March 2024', HAWKISH),
  ...boePage('20240301', '20 March 2024', HAWKISH),
  ...rbaMinutes('05032024', '5 March 2024', MIXED),
  // The statement of April is known, as it reads now, only after that of May.
  ...riksbank([
    ['2024-05-08', 'statement', `DATE: 7 May 2024\n(notified on 8 May 2024 at 9.30 am)\n${DOVISH}`],
    [
      '2024-04-24',
      'statement',
      `On 20 May 2024, an evident error was corrected. Meeting on 23 April 2024\nDATE: 23 April 2024\n${HAWKISH}`,
    ],
    ['2024-04-03', 'minutes', `DATE: 26 March 2024\n${HAWKISH}`],
    [
      '2024-03-27',
      'statement',
      'DATE: 26 March 2024\n(notified on 27 March 2024 at 9.30 am)\nTelephone: +46-(0)8-787 00 00, Website: riksbank.se',
    ],
  ]),
};

const Metadata = z.looseObject({
  documentId: z.string(),
  documentType: z.string(),
  lexiconVersion: z.string(),
  deltaVsPrior: z.number().nullable(),
  lowCoverage: z.boolean(),
  reason: z.string().nullable(),
});

const ROWS = `
  select indicator_id, source_id, period, value, value_text, metadata, vintage, observed_at, run_id is not null as has_run, inputs = [] as has_no_inputs
  from published.vintages inner join published.series using (series_no)
  where canonical_id in ('cb_statement_sentiment', 'cb_minutes_sentiment') order by indicator_id, period, observed_at`;

async function rowsOf(pipeline: Pipeline) {
  const reader = await pipeline.open();
  const result = await reader.withConnection((connection) => connection.runAndReadAll(ROWS));
  const names = result.columnNames();
  return result.getRows().map((cells) => {
    const row: Readonly<Record<string, Value>> = Object.fromEntries(names.map((name, index) => [name, toValue(cells[index] ?? null)]));
    return { cells: row, metadata: Metadata.parse(JSON.parse(toText(row['metadata']))) };
  });
}

describe('the sentiment of statements', () => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await openPipeline();
    await pipeline.run(FIRST, '2024-06-01T00:00:00.000Z');
  });
  afterAll(() => pipeline.remove());

  it('is one value per statement, and one per minutes in another series, for the country or currency area', async () => {
    const rows = await rowsOf(pipeline);
    expect(
      rows.map((row) => [
        row.cells['indicator_id'],
        row.cells['period'],
        row.cells['value_text'],
        row.metadata.documentType,
        row.cells['observed_at'],
      ]),
    ).toEqual([
      ['au_cb_minutes_sentiment', '2024-03-19', 'dovish', 'minutes', '2024-03-19T23:59:59.999Z'],
      ['ea_cb_statement_sentiment', '2024-01-25', 'dovish', 'policy_statement', '2024-01-25T23:59:59.999Z'],
      ['ea_cb_statement_sentiment', '2024-03-07', 'hawkish', 'policy_statement', '2024-03-07T23:59:59.999Z'],
      ['gb_cb_minutes_sentiment', '2024-03-21', 'dovish', 'minutes', '2024-03-21T12:00:00.000Z'],
      ['gb_cb_statement_sentiment', '2024-03-21', 'hawkish', 'policy_statement', '2024-03-21T12:00:00.000Z'],
      ['se_cb_minutes_sentiment', '2024-04-03', 'hawkish', 'minutes', '2024-04-03T23:59:59.999Z'],
      ['se_cb_statement_sentiment', '2024-03-27', 'neutral', 'policy_statement', '2024-03-27T08:30:00.000Z'],
      ['se_cb_statement_sentiment', '2024-04-24', 'hawkish', 'policy_statement', '2024-05-20T23:59:59.999Z'],
      ['se_cb_statement_sentiment', '2024-05-08', 'dovish', 'policy_statement', '2024-05-08T07:30:00.000Z'],
    ]);
  });

  it('is shown with its document as input', async () => {
    const snapshot = await pipeline.open();
    const series = derivedSeries(snapshot.catalogue, ['cb_minutes_sentiment']).filter(({ entityId }) => entityId === 'au');
    const firstPage = { sort: 'period_end', order: 'asc', after: null, limit: 10 } as const;
    const found = await listDerivedObservations(snapshot, series, UNFILTERED, Date.parse(snapshot.knowledgeCutoff), firstPage);
    const rows = await found.rows.all();
    expect(rows.map(({ derivedFrom, inputObservationIds, sourceRefs }) => [derivedFrom, inputObservationIds, sourceRefs])).toEqual([
      [
        ['doc_rba_minutes_20240305'],
        ['doc_rba_minutes_20240305'],
        [{ sourceId: 'rba_documents', indicatorId: 'au_cb_minutes_sentiment', url: 'https://www.rba.gov.au/x' }],
      ],
    ]);
  });

  it('names the document, its change since the prior one of the type, and its run', async () => {
    const rows = await rowsOf(pipeline);
    const ecb = rows.filter((row) => row.cells['source_id'] === 'ecb_documents');
    expect(ecb.map(({ metadata }) => [metadata.documentId, metadata.deltaVsPrior])).toEqual([
      ['doc_ecb_policy_statement_20240125', null],
      ['doc_ecb_policy_statement_20240307', 2],
    ]);
    expect(rows.map((row) => [row.cells['has_run'], row.cells['has_no_inputs']])).toEqual(rows.map(() => [true, true]));
  });

  it.runIf(isLong)('shows nothing as of a moment that was not known then', async () => {
    const rows = await rowsOf(pipeline);
    const instants = rows.map((row) => Date.parse(toText(row.cells['observed_at'])));
    const cutoffs = [...new Set(instants.flatMap((instant) => [instant - 1, instant]))].map((instant) => new Date(instant).toISOString());
    const report = await compareWithLakeOfThen(pipeline, ['cb_statement_sentiment', 'cb_minutes_sentiment'], cutoffs);
    expect(report.differences).toEqual([]);
    expect(report.rowsCompared).toBeGreaterThan(20);
  });

  it('is written in the same bytes each time', async () => {
    const before = await pipeline.current();
    await pipeline.publish();
    expect((await pipeline.current()).contentHash).toBe(before.contentHash);
  });
});

describe('a text', () => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await openPipeline();
    await pipeline.ingest(
      {
        ...ecbStatement('2024-01-25', '25 January 2024', DOVISH),
        ...ecbStatement('2024-03-07', '7 March 2024', 'We are now ready to take your questions.'),
      },
      '2024-04-01T00:00:00.000Z',
    );
    await pipeline.run(ecbStatement('2024-01-25', '25 January 2024', HAWKISH), '2024-05-01T00:00:00.000Z');
  });
  afterAll(() => pipeline.remove());

  it('that its publisher changes later without notice is a new vintage, known from its retrieval', async () => {
    const rows = await rowsOf(pipeline);
    expect(
      rows
        .filter((row) => row.cells['period'] === '2024-01-25')
        .map((row) => [row.cells['value_text'], row.cells['observed_at'], row.cells['vintage']]),
    ).toEqual([
      ['dovish', '2024-01-25T23:59:59.999Z', '2024-01-25'],
      ['hawkish', '2024-05-01T00:00:00.000Z', '2024-05-01'],
    ]);
  });

  it('without scored words gives null, with the reason', async () => {
    const empty = (await rowsOf(pipeline)).filter((row) => row.cells['period'] === '2024-03-07');
    expect(empty.map((row) => [row.cells['value'], row.cells['value_text'], row.metadata.reason])).toEqual([
      [null, null, 'empty_statement'],
    ]);
  });
});

describe('a later lexicon', () => {
  let pipeline: Pipeline;
  let referenceDir: string;
  beforeAll(async () => {
    pipeline = await openPipeline();
    await pipeline.run(FIRST, '2024-06-01T00:00:00.000Z');
    referenceDir = await mkdtemp(join(tmpdir(), 'asof-reference-'));
    await cp(pipeline.workspace.referenceDir, referenceDir, { recursive: true });
  });
  afterAll(async () => {
    await pipeline.remove();
    await rm(referenceDir, { recursive: true, force: true });
  });

  async function release(version: string, releasedAt: string) {
    const folder = join(referenceDir, 'cb_lexicon');
    const lexicon = z.looseObject({}).parse(JSON.parse(await readFile(join(folder, '1.0.0.json'), 'utf8')));
    await writeFile(
      join(folder, `${version}.json`),
      JSON.stringify({ ...lexicon, version, releasedAt, phrases: [{ phrase: 'the bank', weight: -9 }] }),
    );
    await derive({ ...pipeline.workspace, referenceDir }, STOPPED);
    await publish(pipeline.paths, pipeline.workspace.snapshotsKept);
  }

  it('applies only from its release on, and then writes new vintages and keeps the old ones', async () => {
    const before = await rowsOf(pipeline);
    await release('2.0.0', '2030-01-01T00:00:00.000Z');
    expect(await rowsOf(pipeline)).toEqual(before);
    await release('2.0.0', '2024-03-25T00:00:00.000Z');
    const after = await rowsOf(pipeline);
    const old = before.filter((row) => toText(row.cells['observed_at']) < '2024-03-25');
    expect(after.filter((row) => toText(row.cells['observed_at']) < '2024-03-25')).toEqual(old);
    const ecb = after.filter((row) => row.cells['source_id'] === 'ecb_documents');
    expect(ecb.map((row) => [row.cells['period'], row.cells['value_text'], row.metadata.lexiconVersion, row.cells['observed_at']])).toEqual(
      [
        ['2024-01-25', 'dovish', '1.0.0', '2024-01-25T23:59:59.999Z'],
        ['2024-01-25', 'dovish', '2.0.0', '2024-03-25T00:00:00.000Z'],
        ['2024-03-07', 'hawkish', '1.0.0', '2024-03-07T23:59:59.999Z'],
        ['2024-03-07', 'dovish', '2.0.0', '2024-03-25T00:00:00.000Z'],
      ],
    );
    const sweden = after.filter((row) => row.cells['source_id'] === 'riksbank_documents');
    expect(new Set(sweden.map(({ metadata }) => metadata.lexiconVersion))).toEqual(new Set(['2.0.0']));
  });
});
