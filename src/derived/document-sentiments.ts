// The score of every policy document by every lexicon: documents.policy_documents × data/reference/cb_lexicon/*.json → documents.document_sentiments.
// A lexicon is in force from its releasedAt (the first one, without it, from the beginning) to that of the next one. All
// versions stay in the folder, so that the lake alone gives the same scores again.
import { createHash } from 'node:crypto';
import type { DuckDBAppender, DuckDBConnection } from '@duckdb/node-api';
import { z } from 'zod';
import { sqlText } from '../db/query.ts';
import { type Hit, prepareScorer, type Scorer, scoreText } from '../stats/sentiment.ts';
import type { ResultCache } from './result-cache.ts';
import type { Shelf } from './shelf.ts';

const Words = z.array(z.string().min(1));
const LexiconFile = z.strictObject({
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  description: z.string(),
  releasedAt: z.iso.datetime().nullable(),
  thresholds: z.strictObject({ hawkish: z.number().positive(), dovish: z.number().negative(), minimumHits: z.int().positive() }),
  negation: z.strictObject({ window: z.int().positive(), words: Words }),
  pairWindow: z.int().positive(),
  carriers: Words,
  abbreviations: Words,
  boilerplate: Words,
  nouns: z.record(
    z.string(),
    z.strictObject({ polarity: z.int().min(-1).max(1), improvement: z.int().min(-1).max(1).exactOptional(), terms: Words }),
  ),
  modifiers: z.strictObject({ up: Words, down: Words, better: Words.exactOptional(), worse: Words.exactOptional() }),
  phrases: z.array(z.strictObject({ phrase: z.string().min(1), weight: z.number() })),
  context: z
    .strictObject({
      compounds: Words,
      asides: Words,
      farNegation: z.strictObject({ window: z.int().positive(), phrases: Words }),
      limiters: z.strictObject({ window: z.int().positive(), phrases: Words }),
      receding: z.strictObject({ window: z.int().positive(), words: Words }),
      transitory: Words,
      abroad: Words,
      homes: z.record(z.string(), Words),
    })
    .exactOptional(),
});

interface LexiconInForce {
  readonly version: string;
  readonly sha256: string;
  /** null: from the beginning. */
  readonly from: string | null;
  /** null: still in force. */
  readonly to: string | null;
  readonly scorer: Scorer;
}

export async function computeDocumentSentiments(connection: DuckDBConnection, cache: ResultCache): Promise<void> {
  await connection.run(sqlText('documents/document_sentiments.sql'));
  const documents = await connection.runAndReadAll(
    'select document_hash, min(bank_id), any_value(text) from documents.policy_documents group by document_hash order by document_hash',
  );
  const lexicons = await readLexicons(connection);
  const appender = await connection.createAppender('document_sentiments', 'documents');
  const shelf = await cache.open('document-sentiments');
  for (const lexicon of lexicons) {
    for (const [hash, bank, text] of documents.getRows()) {
      appendSentiment(appender, String(hash), lexicon, rememberedSentiment(shelf, String(hash), String(bank), String(text), lexicon));
    }
  }
  await shelf.close();
  appender.closeSync();
}

async function readLexicons(connection: DuckDBConnection): Promise<readonly LexiconInForce[]> {
  const result = await connection.runAndReadAll(
    "select filename, content from read_text(getvariable('reference_root') || '/cb_lexicon/*.json') order by filename",
  );
  const files = result
    .getRows()
    .map(([, content]) => ({
      sha256: createHash('sha256').update(String(content)).digest('hex'),
      lexicon: LexiconFile.parse(JSON.parse(String(content))),
    }))
    .toSorted((one, other) => (one.lexicon.releasedAt ?? '').localeCompare(other.lexicon.releasedAt ?? ''));
  return files.map(({ sha256, lexicon }, index) => ({
    version: lexicon.version,
    sha256,
    from: lexicon.releasedAt,
    to: files[index + 1]?.lexicon.releasedAt ?? null,
    scorer: prepareScorer(lexicon),
  }));
}

const StoredSentiment = z.strictObject({
  score: z.number().nullable(),
  stance: z.enum(['hawkish', 'dovish', 'neutral']).nullable(),
  isLowCoverage: z.boolean(),
  hawkishCount: z.int(),
  dovishCount: z.int(),
  tokenCount: z.int(),
  matchedPhrases: z.string(),
});
type StoredSentiment = z.infer<typeof StoredSentiment>;

function rememberedSentiment(shelf: Shelf, hash: string, bank: string, text: string, lexicon: LexiconInForce): StoredSentiment {
  const key = `${lexicon.sha256} ${bank} ${hash}`;
  const stored = shelf.get(key);
  if (stored !== undefined) return StoredSentiment.parse(JSON.parse(stored));
  const sentiment = sentimentOf(text, bank, lexicon.scorer);
  shelf.put(key, JSON.stringify(sentiment));
  return sentiment;
}

function sentimentOf(text: string, bank: string, scorer: Scorer): StoredSentiment {
  const { score, stance, isLowCoverage, tokenCount, hits } = scoreText(scorer, text, bank);
  const isEmpty = tokenCount === 0;
  return {
    score: isEmpty ? null : score,
    stance: isEmpty ? null : stance,
    isLowCoverage,
    hawkishCount: hits.filter(({ weight }) => weight > 0).length,
    dovishCount: hits.filter(({ weight }) => weight < 0).length,
    tokenCount,
    matchedPhrases: JSON.stringify(matchedPhrases(hits)),
  };
}

function appendSentiment(appender: DuckDBAppender, hash: string, lexicon: LexiconInForce, sentiment: StoredSentiment): void {
  const appendText = (text: string | null) => (text === null ? appender.appendNull() : appender.appendVarchar(text));
  for (const text of [hash, lexicon.version, lexicon.sha256, lexicon.from, lexicon.to]) appendText(text);
  if (sentiment.score === null) appender.appendNull();
  else appender.appendDouble(sentiment.score);
  appendText(sentiment.stance);
  appender.appendBoolean(sentiment.isLowCoverage);
  for (const count of [sentiment.hawkishCount, sentiment.dovishCount, sentiment.tokenCount]) appender.appendInteger(count);
  appendText(sentiment.matchedPhrases);
  appender.endRow();
}

interface MatchedPhrase {
  readonly phrase: string;
  readonly polarity: 'hawkish' | 'dovish';
  readonly count: number;
}

/** The most frequent first. */
function matchedPhrases(hits: readonly Hit[]): readonly MatchedPhrase[] {
  const counts = new Map<string, MatchedPhrase>();
  for (const { phrase, weight } of hits) {
    counts.set(phrase, { phrase, polarity: weight > 0 ? 'hawkish' : 'dovish', count: (counts.get(phrase)?.count ?? 0) + 1 });
  }
  return [...counts.values()].toSorted((one, other) => other.count - one.count || (one.phrase < other.phrase ? -1 : 1));
}
