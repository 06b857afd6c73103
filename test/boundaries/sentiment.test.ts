// The sentiment of central banks' texts at the edges of its rules (docs/reference/methods.md#central-bank-sentiment): thresholds, hits, windows; and which document a row is of.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Lexicon, prepareScorer, scoreText } from '../../src/stats/sentiment.ts';
import { type Found, type GivenRow, giveLake, openRelations, type Relations } from './by-hand/relations.ts';

const LEXICON: Lexicon = {
  thresholds: { hawkish: 0.15, dovish: -0.15, minimumHits: 3 },
  negation: { window: 3, words: ['not'] },
  pairWindow: 6,
  carriers: ['remains'],
  abbreviations: [],
  boilerplate: ['^voting', '^roster'],
  nouns: {
    prices: { polarity: 1, terms: ['inflation', 'inflation target'] },
    slack: { polarity: -1, terms: ['unemployment'] },
    none: { polarity: 0, terms: ['shares'] },
  },
  modifiers: { up: ['rose'], down: ['fell'] },
  phrases: [
    { phrase: 'twenty', weight: 20 },
    { phrase: 'three', weight: 3 },
    { phrase: 'little', weight: 2.9 },
    { phrase: 'seventeen', weight: -17 },
    { phrase: 'tight', weight: 1 },
    { phrase: 'tight money', weight: 2 },
    { phrase: 'tight money market', weight: 4 },
    { phrase: 'target', weight: 0 },
    { phrase: 'very tight', weight: 0 },
  ],
};
const scorer = prepareScorer(LEXICON);
const said = (text: string) => scoreText(scorer, text);
const hits = (text: string) => said(text).hits.map(({ phrase, weight }) => `${phrase} ${weight}`);
const filler = (count: number) => Array.from({ length: count }, () => 'word').join(' ');

describe('the stance of a text', () => {
  it.each([
    // 23 against 17 of 40.
    ['twenty three seventeen', 0.15, 'hawkish'],
    ['twenty little seventeen', 5.9 / 39.9, 'neutral'],
    ['not twenty. not three. not seventeen', -0.15, 'dovish'],
    ['not twenty. not little. not seventeen', -5.9 / 39.9, 'neutral'],
  ])('%o', (text, score, stance) => {
    expect(said(text).score).toBeCloseTo(score, 12);
    expect(said(text).stance).toBe(stance);
  });

  it.each([
    ['tight. tight', true, 'neutral'],
    ['tight. tight. tight', false, 'hawkish'],
  ])('of %o needs at least three hits', (text, isLowCoverage, stance) => {
    expect(said(text)).toMatchObject({ score: 1, isLowCoverage, stance });
  });

  it('follows the thresholds of the file', () => {
    const { thresholds, negation } = JSON.parse(
      readFileSync(new URL('../../data/reference/cb_lexicon/1.0.0.json', import.meta.url), 'utf8'),
    ) as Lexicon;
    expect([thresholds, negation.window]).toEqual([{ hawkish: 0.15, dovish: -0.15, minimumHits: 3 }, 3]);
  });
});

describe('a hit', () => {
  it.each([
    // A negator three tokens before, and four.
    ['not word word tight', ['not tight -1']],
    ['not word word word tight', ['tight 1']],
    ['tight not', ['tight 1']],
    ['not word; tight', ['tight 1']],
    ['not, tight', ['tight 1']],
    // The longest phrase; what is left of it is none.
    ['tight money market', ['tight money market 4']],
    ['tight money markets', ['tight money 2']],
    ['money tight', ['tight 1']],
    ['very tight money', []],
    ['target', []],
    // Six tokens between a noun and its modifier, and seven.
    [`inflation ${filler(6)} rose`, ['inflation + rose 1']],
    [`inflation ${filler(7)} rose`, []],
    [`rose ${filler(6)} inflation`, ['inflation + rose 1']],
    [`rose ${filler(7)} inflation`, []],
    // A comma is as far as three words, and itself one.
    [`inflation, ${filler(2)} rose`, ['inflation + rose 1']],
    [`inflation, ${filler(3)} rose`, []],
    ['rose, inflation', []],
    ['inflation (word) rose', []],
    // The nearer noun; of two equally near, the first.
    ['inflation word unemployment rose', ['unemployment + rose -1']],
    ['inflation rose unemployment', ['inflation + rose 1']],
    ['unemployment fell', ['unemployment + fell 1']],
    ['inflation target rose', ['inflation target + rose 1']],
    ['shares rose', []],
    ['inflation shares rose', []],
    // Carried on from an earlier clause by a word no more than two before.
    [`inflation ${filler(9)} remains word rose`, ['inflation + rose 1']],
    [`inflation ${filler(9)} remains word word rose`, []],
    [`unemployment word inflation; ${filler(9)} remains rose`, ['inflation + rose 1']],
    ['remains rose; inflation', []],
    ['voting: tight', []],
    ['roster: tight', []],
  ])('in %o is %o', (text, expected) => {
    expect(hits(text)).toEqual(expected);
  });

  it('is counted in the words of the scored text', () => {
    expect(said('Tight, tight; word.\nVoting tight.').tokenCount).toBe(3);
  });
});

describe('a document', () => {
  let relations: Relations;
  const documents: GivenRow[] = [];
  function text(id: string, bank: string, type: string, released: string, body: string, retrieved = released, more: GivenRow = {}): void {
    documents.push({
      document_id: id,
      entity_id: bank,
      document_type: type,
      title: id,
      text: body,
      url: `https://${id}`,
      released_at: released,
      observed_at: released,
      retrieved_at: retrieved,
      run_id: 'r',
      record_hash: `${documents.length}`,
      source_id: 'bank_documents',
      ...more,
    });
  }
  const at = (day: string, hour = 14) => `2024-${day} ${hour}:00:00+00`;
  text('s1', 'bank_a', 'policy_statement', at('01-31'), 'one', at('02-05'));
  // Minutes stand by themselves, on the day of a statement too.
  text('m1', 'bank_a', 'minutes', at('01-31', 18), 'two');
  text('m2', 'bank_a', 'minutes', at('02-21'), 'three');
  text('m3', 'bank_b', 'minutes', at('01-31'), 'four');
  text('m4', 'bank_b', 'minutes', at('03-20', 9), 'five');
  text('s4', 'bank_b', 'policy_statement', at('03-20', 12), 'six');
  text('x1', 'bank_a', 'speech', at('02-01'), 'seven');
  // A text that is corrected, one that is read again unchanged, and one that comes back.
  text('s2', 'bank_a', 'policy_statement', at('03-20'), 'eight');
  text('s2', 'bank_a', 'policy_statement', at('03-20'), 'eight', at('03-21'));
  text('s2', 'bank_a', 'policy_statement', at('03-19'), 'nine', at('04-02'));
  text('s3', 'bank_a', 'policy_statement', at('05-01'), '', at('05-01'));
  text('s5', 'bank_a', 'policy_statement', at('06-12'), 'ten', undefined, { change_sequence: 57 });
  const SCORES: Readonly<Record<string, number | null>> = {
    one: 0.5,
    two: 0.1,
    three: -0.25,
    four: 0.75,
    five: 0.3,
    six: 0.2,
    eight: 0.125,
    nine: 0.25,
    '': null,
    ten: 1,
  };

  beforeAll(async () => {
    relations = await openRelations();
    await giveLake(relations, {
      documents,
      ingestions: [
        { run_id: 'r', status: 'ok', finished_at: at('07-01') },
        { run_id: 'r', status: 'failed', finished_at: at('01-01') },
      ],
      attempts: [{ finished_at: at('07-02') }],
      observations: [
        { ingested_at: at('06-30'), change_sequence: 41 },
        { ingested_at: at('07-03'), change_sequence: 99 },
      ],
    });
    await relations.give('reference.entities', { entity_id: 'varchar', parent_entity_id: 'varchar' }, [
      { entity_id: 'bank_a', parent_entity_id: 'us' },
      { entity_id: 'bank_b', parent_entity_id: 'gb' },
    ]);
    await relations.build('macros/knowledge_cutoff', 'series/arrivals', 'documents/policy_documents');
    await relations.give('documents.document_sentiments', {
      document_hash: 'varchar',
      lexicon_version: 'varchar',
      lexicon_sha256: 'varchar',
      in_force_from: 'varchar',
      in_force_to: 'varchar',
      score: 'double',
      stance: 'varchar',
      is_low_coverage: 'boolean',
      hawkish_count: 'integer',
      dovish_count: 'integer',
      token_count: 'integer',
      matched_phrases: 'varchar',
    });
    // The second lexicon is of March 1, the third of a day that is yet to come.
    const lexicons = [
      ['1', null, '2024-03-01T00:00:00Z', 0],
      ['2', '2024-03-01T00:00:00Z', '2024-08-01T00:00:00Z', 0.0625],
      ['3', '2024-08-01T00:00:00Z', null, 9],
    ] as const;
    for (const [body, score] of Object.entries(SCORES)) {
      for (const [version, from, to, more] of lexicons) {
        await relations.run(`insert into documents.document_sentiments values ('sha256:' || sha256('${body}'), '${version}', 'abc', ${from === null ? 'null' : `'${from}'`}, ${to === null ? 'null' : `'${to}'`},
          ${score === null ? 'null' : score + more}, ${score === null ? 'null' : "'neutral'"}, true, 2, 1, 7, '[]')`);
      }
    }
    await relations.build('reference/derived_indicators', 'derived/sentiment');
  });
  afterAll(() => relations.close());

  const rows = async (where = 'true'): Promise<readonly Found[]> =>
    (await relations.ask(`select * from derived.sentiment where ${where} order by period_end, observed_at`)).map(
      ({ metadata, ...row }) => ({ ...row, ...JSON.parse(String(metadata)) }),
    );

  it('is a statement or minutes, each in a series of its own', async () => {
    const slugs = await relations.ask(
      "select distinct (metadata ->> '$.documentId') as id, canonical_id, unit, frequency from derived.sentiment order by id",
    );
    expect(slugs.map((row) => [row['id'], row['canonical_id'], row['unit'], row['frequency']])).toEqual(
      ['m1', 'm2', 'm3', 'm4', 's1', 's2', 's3', 's4', 's5'].map((id) => [
        id,
        id.startsWith('m') ? 'cb_minutes_sentiment' : 'cb_statement_sentiment',
        'score',
        'event',
      ]),
    );
    const found = await relations.ask(
      'select document_id, version_at, release_date, entity_id from documents.policy_documents order by document_id, version_at',
    );
    expect(found.map((row) => [row['document_id'], row['version_at'], row['release_date'], row['entity_id']])).toEqual([
      ['m1', at('01-31', 18), '2024-01-31', 'us'],
      ['m2', at('02-21'), '2024-02-21', 'us'],
      ['m3', at('01-31'), '2024-01-31', 'gb'],
      ['m4', at('03-20', 9).replace(' 9', ' 09'), '2024-03-20', 'gb'],
      ['s1', at('01-31'), '2024-01-31', 'us'],
      // The correction states an earlier time; it is known from its retrieval, and the day stays.
      ['s2', at('03-20'), '2024-03-20', 'us'],
      ['s2', at('04-02'), '2024-03-20', 'us'],
      ['s3', at('05-01'), '2024-05-01', 'us'],
      ['s4', at('03-20', 12), '2024-03-20', 'gb'],
      ['s5', at('06-12'), '2024-06-12', 'us'],
    ]);
  });

  it('is scored by the lexicon of its time, and again by a later one from its release on', async () => {
    expect(
      (await rows("(metadata ->> '$.documentId') in ('s1', 'm2', 's2')")).map((row) => [
        row['documentId'],
        row['lexiconVersion'],
        row['observed_at'],
        row['value'],
      ]),
    ).toEqual([
      ['s1', '1', at('01-31'), 0.5],
      ['s1', '2', '2024-03-01 00:00:00+00', 0.5625],
      ['m2', '1', at('02-21'), -0.25],
      ['m2', '2', '2024-03-01 00:00:00+00', -0.1875],
      ['s2', '2', at('03-20'), 0.1875],
      ['s2', '2', at('04-02'), 0.3125],
    ]);
  });

  it('is compared with the last known one of its bank, kind and lexicon', async () => {
    const found = await rows("entity_id = 'us' and (metadata ->> '$.lexiconVersion') = '2'");
    expect(found.map((row) => [row['documentId'], row['deltaVsPrior'], row['priorDocumentId'], row['reason']])).toEqual([
      ['s1', null, null, null],
      ['m1', null, null, null],
      ['m2', -0.1875 - 0.1625, 'm1', null],
      ['s2', 0.1875 - 0.5625, 's1', null],
      ['s2', 0.3125 - 0.5625, 's1', null],
      // A text without words has no score, and is no prior either: the next is compared with the corrected one.
      ['s3', null, 's2', 'empty_statement'],
      ['s5', 1.0625 - 0.3125, 's2', null],
    ]);
  });

  it('comes after the earlier changes if its document has no number of its own', async () => {
    const numbers = (await rows("entity_id = 'us'")).map((row) => [row['documentId'], row['change_sequence']]);
    expect(numbers.filter(([id]) => id === 's3')).toEqual([['s3', 41]]);
    const [row] = await rows("(metadata ->> '$.documentId') = 's5'");
    expect(row).toMatchObject({
      change_sequence: 57,
      ingested_at: at('07-01'),
      hawkishCount: 2,
      dovishCount: 1,
      tokenCount: 7,
      lowCoverage: true,
      documentUrl: 'https://s5',
      bank: 'bank_a',
      period: '2024-06-12',
      frequency: 'event',
      unit: 'score',
    });
  });
});
