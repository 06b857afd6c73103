// Every page of each indicator. The date of the last update applies to the whole database: pages with two dates do not belong together.
import { z } from 'zod';
import { isKeyDue } from '../feeds/due.ts';
import { type Answer, type Feed, NEVER_DUE, type Plan } from '../feeds/feed.ts';

const API = 'https://api.worldbank.org/v2/country';
const FOLDER = 'world-bank/api-json/';
/** A third of all economies; more rows are not an answer to the request. */
const MOST_PAGES = 50;

const Count = z.coerce.number().int();
const Head = z.tuple([z.looseObject({ page: Count, pages: Count, total: Count, lastupdated: z.string().nullish() })], z.unknown());
type Head = z.infer<typeof Head>[0];

/** @param indicators by the Bank's codes */
export function worldBankFeed(indicators: readonly string[]): Feed {
  return {
    publisher: 'world_bank',
    isDue: (now, held) => indicators.some((code) => isKeyDue(now, held, `${FOLDER}${code}.json`, { everyHours: 72 })),
    *plan() {
      yield* pagesOf('countries', `${API}?format=json&per_page=400`);
      for (const code of indicators) yield* pagesOf(code, `${API}/all/indicator/${code}?format=json&per_page=10000`);
    },
    *probe() {
      for (const code of indicators.slice(0, 1))
        yield { key: `${FOLDER}${code}.json`, url: `${API}/DEU/indicator/${code}?format=json&per_page=100`, dueBy: NEVER_DUE };
    },
  };
}

function* pagesOf(name: string, url: string): Plan {
  let first: Head | null = null;
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const answer: Answer = yield {
      key: `${FOLDER}${name}${page === 1 ? '' : `.page${page}`}.json`,
      url: page === 1 ? url : `${url}&page=${page}`,
      group: name,
      mayShrink: page > 1,
    };
    if (answer.kind === 'absent' || answer.kind === 'failed') return;
    const head = headOf(answer.body);
    const problem = head === null ? 'the answer is an error or another layout than expected' : problemOf(head, page, first);
    if (head === null || problem !== null) {
      yield { giveUp: `${name}, page ${page}: ${problem}`, isEmpty: head !== null && isEmpty(head) };
      return;
    }
    first ??= head;
    if (page === head.pages) return;
  }
  yield { giveUp: `${name}: more than ${MOST_PAGES} pages` };
}

function problemOf(head: Head, page: number, first: Head | null): string | null {
  if (isEmpty(head)) return 'the answer has no rows';
  if (head.page !== page) return `the answer is page ${head.page}`;
  if (first !== null && (head.lastupdated ?? null) !== (first.lastupdated ?? null))
    return `it is of the update of ${head.lastupdated}, page 1 of that of ${first.lastupdated}`;
  return first !== null && head.pages !== first.pages ? `the answer has ${head.pages} pages, on page 1 it had ${first.pages}` : null;
}

const isEmpty = (head: Head): boolean => head.pages < 1 || head.total < 1;

function headOf(body: Uint8Array): Head | null {
  try {
    return Head.parse(JSON.parse(new TextDecoder().decode(body)))[0];
  } catch {
    return null;
  }
}
