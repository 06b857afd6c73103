// Sveriges Riksbank: its lists lead only to PDF, which is not read; they are requested so that each document is named.
import { type Publication, WORKING_DAYS } from '../feeds/due.ts';
import { isDueFor } from '../feeds/documents.ts';
import type { Feed, Request } from '../feeds/feed.ts';

const RIKSBANK = 'https://www.riksbank.se/en-gb/monetary-policy/monetary-policy-report';
const RIKSBANK_LISTS: readonly Request[] = [
  ['decisions', 'monetary-policy-decision-documents'],
  ['minutes', 'minutes-of-the-executive-boards-monetary-policy-meetings'],
].map(([folder, path]) => ({ key: `central-bank-text/riksbank/${folder}/html/index.html`, url: `${RIKSBANK}/${path}/`, mayShrink: true }));
const AT_HALF_PAST_NINE: Publication = { time: '09:30', zone: 'Europe/Stockholm', weekdays: WORKING_DAYS };

export const riksbankDocumentsFeed: Feed = {
  publisher: 'riksbank',
  isDue: (now, held) => RIKSBANK_LISTS.some(({ key }) => isDueFor(now, held, key, AT_HALF_PAST_NINE)),
  *plan() {
    yield* RIKSBANK_LISTS;
  },
  isOfListsAlone: true,
};
