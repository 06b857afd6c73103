// The feed of changes over nights: a reader that continues from its last place sees every change of the next night once.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mendLake } from '../../jobs/mend.ts';
import { type ChangeRow, listChanges } from '../../src/queries/reads/engine.ts';
import { sources } from '../../src/sources/index.ts';
import { openFilers } from '../boundaries/by-hand/filers.ts';
import { companyFacts } from '../filings/edgar.ts';
import { type Files, fredMdFile, openPipeline, type Pipeline, SILENT, UNFILTERED } from '../pipeline.ts';
import { isLong } from '../suite.ts';

const statement = (day: string, written: string, text: string): Files => ({
  [`central-bank-text/ecb/statements/${day.replaceAll('-', '')}.json`]: JSON.stringify({
    bank_id: 'ecb',
    doc_type: 'statement',
    title: 'A title',
    source_url: 'https://www.ecb.europa.eu/x',
    language: 'en',
    text: `STATEMENT\nFrankfurt am Main, ${written}\nJump to the transcript of the questions and answers\n${text}\n* * *\nA question.`,
  }),
});
const PAYROLLS = fredMdFile('2024-03', { PAYEMS: { '2024-01': 157700, '2024-02': 157900 } });
const HAWKISH = 'Inflation has risen. The labour market is tight. The Bank decided to raise the policy rate.';

let pipeline: Pipeline;
beforeEach(async () => {
  pipeline = await openPipeline();
});
afterEach(() => pipeline.remove());

/** What the feed has behind a place in it, in pages of two. */
async function changesAfter(place: { readonly sequence: number; readonly idHash: string } | null): Promise<readonly ChangeRow[]> {
  const snapshot = await pipeline.open();
  const rows: ChangeRow[] = [];
  let after = place;
  for (let hasMore = true; hasMore; ) {
    const page = await listChanges(snapshot, snapshot.catalogue.series, { ...UNFILTERED, since: null }, after, 2);
    rows.push(...page.rows);
    const last = page.rows.at(-1);
    after = last === undefined ? after : { sequence: last.changeSequence, idHash: String(last.idHash) };
    hasMore = page.hasMore;
  }
  return rows;
}

const endOf = (rows: readonly ChangeRow[]) => {
  const last = rows.at(-1);
  if (last === undefined) throw new Error('the feed is empty');
  return { sequence: last.changeSequence, idHash: String(last.idHash) };
};

const FIRST = [
  ['2024-01-25', '25 January 2024'],
  ['2024-03-07', '7 March 2024'],
  ['2024-04-11', '11 April 2024'],
] as const;
const LATER = [
  ['2024-06-06', '6 June 2024'],
  ['2024-07-18', '18 July 2024'],
  ['2024-09-12', '12 September 2024'],
] as const;
const statements = (days: typeof FIRST | typeof LATER): Files =>
  Object.assign({}, ...days.map(([day, written]) => statement(day, written, `${HAWKISH} It is ${written}.`)));

describe('the feed of changes, continued from its last place', () => {
  it('has the changes of a night with only documents', async () => {
    await pipeline.run({ ...PAYROLLS, ...statements(FIRST) }, '2024-05-01T08:00:00.000Z');
    const first = await changesAfter(null);
    expect(new Set(first.map(({ period }) => period))).toEqual(new Set(['2024-01', '2024-02', ...FIRST.map(([day]) => day)]));
    await pipeline.run(statements(LATER), '2024-10-01T08:00:00.000Z');
    const second = await changesAfter(endOf(first));
    expect(second.map(({ period }) => period).toSorted()).toEqual(LATER.map(([day]) => day));
    expect(await changesAfter(null)).toEqual([...first, ...second]);
    expect(await changesAfter(endOf(second))).toEqual([]);
  });
});

describe('the records of a commit', () => {
  const DOCUMENTS = 'select document_id, change_sequence from documents order by all';
  const numbersOf = async () => (await pipeline.lake(DOCUMENTS)).map((row) => row['change_sequence']);
  const filer = (assets: number) =>
    companyFacts(7, {
      '0000000007-21-000001': { form: '10-K', filed: '2021-02-10', facts: [['Assets', 'USD', null, '2020-12-31', assets]] },
    });
  const folder = () => join(pipeline.dataDir, 'lake/documents/source_id=ecb_documents');
  const damaged = (...places: readonly number[]) => {
    const names = readdirSync(folder()).sort();
    for (const place of places) writeFileSync(join(folder(), names[place] ?? ''), 'no Parquet');
  };
  const mend = async () => {
    const lake = await pipeline.workspace.openLake();
    try {
      await mendLake(lake, pipeline.workspace, sources, { now: () => Date.parse('2024-12-01T08:00:00.000Z'), log: SILENT });
    } finally {
      await lake.close();
    }
  };

  it('share the number after its observations; the next commit continues, and an empty one takes no number', async () => {
    await pipeline.ingest({ ...PAYROLLS, ...statements(FIRST) }, '2024-05-01T08:00:00.000Z');
    expect(await pipeline.lake('select max(change_sequence) as number from observations')).toEqual([{ number: 2 }]);
    // The same records in other bytes.
    const again = Object.entries(statements(FIRST)).map(([path, text]) => [path, `${String(text)}\n`]);
    await pipeline.ingest(Object.fromEntries(again), '2024-05-02T08:00:00.000Z');
    await pipeline.ingest(filer(1), '2024-05-03T08:00:00.000Z');
    await pipeline.ingest(statements(LATER), '2024-10-01T08:00:00.000Z');
    expect(await numbersOf()).toEqual([3, 3, 3, 5, 5, 5]);
    expect(await pipeline.lake('select distinct change_sequence as number from facts')).toEqual([{ number: 4 }]);
    await pipeline.ingest(fredMdFile('2024-04', { PAYEMS: { '2024-02': 157_900, '2024-03': 158_000 } }), '2024-10-02T08:00:00.000Z');
    expect(await pipeline.lake('select max(change_sequence) as number from observations')).toEqual([{ number: 6 }]);
  });

  it.each(isLong ? [[[0]], [[1]], [[0, 1]]] : [[[0, 1]]])(
    'get it again if the files %j of them are rebuilt from the archive',
    async (places) => {
      await pipeline.ingest({ ...PAYROLLS, ...statements(FIRST) }, '2024-05-01T08:00:00.000Z');
      await pipeline.ingest(filer(1), '2024-05-03T08:00:00.000Z');
      await pipeline.ingest(statements(LATER), '2024-10-01T08:00:00.000Z');
      const before = await pipeline.lake(DOCUMENTS);
      damaged(...places);
      await mend();
      expect(await pipeline.lake(DOCUMENTS)).toEqual(before);
    },
  );

  it('number the values computed from them; without one, the last earlier change does', async () => {
    const relations = await openFilers([{ filings: [{ filed: '2024-02-10', facts: [['Assets', null, '2023-12-31', 1]] }] }], [], {
      companies: [
        { cik: '9', sic: '2834', observed_at: '2024-01-01', retrieved_at: '2024-01-01', run_id: 'early' },
        { cik: '9', sic: '6021', observed_at: '2024-02-01', retrieved_at: '2024-02-01', run_id: 'early', change_sequence: 31 },
      ],
    });
    try {
      await relations.run(
        "insert into lake.ingestions by name select 'early' as run_id, 'ok' as status, timestamptz '2024-01-02' as finished_at",
      );
      await relations.run(
        "insert into lake.observations by name from (values (timestamptz '2024-01-01', 17), (timestamptz '2024-01-03', 99)) as rows (ingested_at, change_sequence)",
      );
      await relations.run('update lake.facts set change_sequence = 23');
      await relations.build('series/arrivals', 'filings/company_facts', 'filings/company_classes');
      expect(await relations.ask('select distinct change_sequence as number from filings.company_facts')).toEqual([{ number: 23 }]);
      const classes = "select sic, change_sequence as number from filings.company_classes where cik = '9' order by sic";
      expect(await relations.ask(classes)).toEqual([
        { sic: '2834', number: 17 },
        { sic: '6021', number: 31 },
      ]);
    } finally {
      relations.close();
    }
  });
});
