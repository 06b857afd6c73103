// The sample on which a fresh installation starts: a small mirror folder in the publishers' formats, with invented numbers.
import { calendarFiles } from './calendars.ts';
import { centralBankDocumentsFiles } from './central-bank-documents.ts';
import { cftcFiles } from './cftc.ts';
import { countriesFiles } from './countries.ts';
import type { SampleFile } from './days.ts';
import { confidenceFiles } from './confidence.ts';
import { ecbFxFiles } from './ecb-fx.ts';
import { fedStatementsFiles } from './fed-statements.ts';
import { fredMdFiles } from './fred-md.ts';
import { fredFiles } from './fred.ts';
import { quotesFiles } from './quotes.ts';
import { secFiles } from './sec.ts';
import { surveyFiles } from './survey.ts';
import { usCensusFiles } from './us-census.ts';
import { worldBankFiles } from './world-bank.ts';

export { SAMPLE_FOLDER } from './days.ts';

/** The same `now` gives the same files. Two different ones agree in all common values. */
export function* samplePayloads(now: number): Iterable<SampleFile> {
  yield* fredMdFiles(now);
  yield* fredFiles(now);
  yield* usCensusFiles(now);
  yield* worldBankFiles(now);
  yield* ecbFxFiles(now);
  yield* confidenceFiles(now);
  yield* countriesFiles(now);
  yield* cftcFiles(now);
  yield* secFiles(now);
  yield* quotesFiles(now);
  yield* fedStatementsFiles(now);
  yield* centralBankDocumentsFiles(now);
  yield* calendarFiles(now);
  yield* surveyFiles(now);
}
