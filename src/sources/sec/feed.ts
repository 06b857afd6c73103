// EDGAR: the filers of the universe, once each; then, day by day since the last stored list of filings, those with new filings of the forms that we read.
import { z } from 'zod';
import { addDays } from '../../model/period.ts';
import { readDailyIndex, readQuarter } from './filings-index.ts';
import { isKeyDue, isMissingDue, WORKING_DAYS } from '../feeds/due.ts';
import { type Answer, type Feed, type Held, NEVER_DUE, type Plan, type Request } from '../feeds/feed.ts';

/** The list of tickers is ordered by market value: this many of its filers, plus those with stored submissions. */
const MOST_FILERS = 500;
/** Annual, quarterly and current reports, with their amendments. */
const FORMS = /^(?:10-K|10-KT|10-Q|10-QT|20-F|40-F|6-K|8-K)(?:\/A)?$/;
/** A filer without facts is requested again after this time. */
const DAYS_WITHOUT_FACTS = 7;
const HOURS_WITHOUT_SUBMISSIONS = 24;
const DAYS_BEFORE_THE_FIRST = 3;
/** Apple's, whose submissions are small. */
const PROBED_FILER = '0000320193';

const DATA = 'https://data.sec.gov';
const INDEX = 'https://www.sec.gov/Archives/edgar/daily-index';
const TICKERS: Request = { key: 'sec/company_tickers.json', url: 'https://www.sec.gov/files/company_tickers.json' };
const submissionsKey = (cik: string): string => `sec/submissions/CIK${cik}.json`;
const factsKey = (cik: string): string => `sec/companyfacts/CIK${cik}.json`;
const dayKey = (day: string): string => `sec/daily-index/master.${day}.idx`;

interface Quarter {
  readonly year: string;
  readonly number: number;
}

const quarterOf = (day: string): Quarter => ({ year: day.slice(0, 4), number: Math.ceil(Number(day.slice(5, 7)) / 3) });
const quarterKey = ({ year, number }: Quarter): string => `sec/daily-index/${year}-QTR${number}.json`;

export const secFeed: Feed = {
  publisher: 'sec',
  isDue: (now, held) =>
    isKeyDue(now, held, quarterKey(quarterOf(now)), {
      everyHours: 6,
      publication: { time: '22:30', zone: 'America/New_York', weekdays: WORKING_DAYS },
    }),
  *plan(now, held) {
    const tickers: Answer = yield TICKERS;
    const listed = 'body' in tickers ? filersOf(tickers.body) : [];
    const known = held.keys('sec/submissions/').flatMap((key) => /\/CIK(\d{10})\.json$/.exec(key)?.[1] ?? []);
    const universe = new Set([...listed, ...known]);
    /** Requested in this run. */
    const fresh = new Set<string>();
    for (const cik of universe) yield* missingOf(cik, now, held, fresh);
    // Requested after missing files: until all of those are there, it stays due.
    for (const day of yield* daysOf(now, held)) yield* filingsOf(day, universe, fresh, now, held);
  },
  *probe() {
    yield { key: submissionsKey(PROBED_FILER), url: `${DATA}/submissions/CIK${PROBED_FILER}.json`, dueBy: NEVER_DUE };
  },
};

const Tickers = z.record(z.string(), z.looseObject({ cik_str: z.coerce.string() }));

function filersOf(body: Uint8Array): string[] {
  const ciks = Object.values(parsed(body, Tickers) ?? {}).map(({ cik_str: cik }) => cik.padStart(10, '0'));
  return [...new Set(ciks)].slice(0, MOST_FILERS);
}

function* missingOf(cik: string, now: string, held: Held, fresh: Set<string>): Plan {
  if (isMissingDue(now, held, submissionsKey(cik), HOURS_WITHOUT_SUBMISSIONS)) {
    fresh.add(cik);
    yield* submissionsOf(cik, held);
  }
  if (held.newest(factsKey(cik)) !== null) return;
  const asked = held.askedAt(factsKey(cik));
  if (asked === null || asked.slice(0, 10) <= addDays(now.slice(0, 10), -DAYS_WITHOUT_FACTS)) yield factsOf(cik, now);
}

const Older = z.looseObject({ filings: z.looseObject({ files: z.array(z.looseObject({ name: z.string() })) }) });

/** The newest filings, and the files of older ones once each, because those never change. */
function* submissionsOf(cik: string, held: Held): Plan {
  const answer: Answer = yield { key: submissionsKey(cik), url: `${DATA}/submissions/CIK${cik}.json`, mayShrink: true };
  if (!('body' in answer)) return;
  for (const { name } of parsed(answer.body, Older)?.filings.files ?? []) {
    const isTheirs = new RegExp(`^CIK${cik}-submissions-\\d{3}\\.json$`).test(name);
    if (isTheirs && held.newest(`sec/submissions/${name}`) === null)
      yield { key: `sec/submissions/${name}`, url: `${DATA}/submissions/${name}` };
  }
}

/** Funds and many foreign filers have none: 404. */
const factsOf = (cik: string, now: string): Request => ({
  key: factsKey(cik),
  url: `${DATA}/api/xbrl/companyfacts/CIK${cik}.json`,
  dueBy: now.slice(0, 10),
});

/** Days with a list, from the last stored one on: a run may have ended before all of its filers were requested. */
function* daysOf(now: string, held: Held): Generator<Request, readonly string[], Answer> {
  const today = now.slice(0, 10);
  const newest = held
    .keys('sec/daily-index/')
    .flatMap((key) => /master\.(\d{4})(\d{2})(\d{2})\.idx$/.exec(key)?.slice(1, 4).join('-') ?? [])
    .at(-1);
  const from = newest ?? addDays(today, -DAYS_BEFORE_THE_FIRST);
  const days: string[] = [];
  for (const quarter of quartersFrom(from, today)) {
    const { year, number } = quarter;
    const answer: Answer = yield {
      key: quarterKey(quarter),
      url: `${INDEX}/${year}/QTR${number}/index.json`,
      dueBy: `${year}-${String(number * 3 - 2).padStart(2, '0')}-05`,
    };
    if ('body' in answer) days.push(...readQuarter('sec', answer.body));
  }
  return days.filter((day) => day >= from.replaceAll('-', ''));
}

function quartersFrom(from: string, to: string): Quarter[] {
  const quarters: Quarter[] = [];
  for (let { year, number } = quarterOf(from); ; ) {
    quarters.push({ year, number });
    const last = quarterOf(to);
    if (year === last.year && number === last.number) return quarters;
    [year, number] = number === 4 ? [String(Number(year) + 1), 1] : [year, number + 1];
  }
}

function* filingsOf(day: string, universe: ReadonlySet<string>, fresh: Set<string>, now: string, held: Held): Plan {
  const { year, number } = quarterOf(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`);
  const answer: Answer = yield { key: dayKey(day), url: `${INDEX}/${year}/QTR${number}/master.${day}.idx` };
  if (!('body' in answer)) return;
  const since = (answer.kind === 'same' ? held.newest(dayKey(day))?.retrievedAt : null) ?? answer.retrievedAt;
  const filers = readDailyIndex('sec', answer.body).filter(({ cik, form }) => universe.has(cik) && FORMS.test(form));
  for (const cik of new Set(filers.map((filing) => filing.cik))) {
    if (fresh.has(cik)) continue;
    fresh.add(cik);
    if (isOlder(held, submissionsKey(cik), since)) yield* submissionsOf(cik, held);
    if (isOlder(held, factsKey(cik), since)) yield factsOf(cik, now);
  }
}

function isOlder(held: Held, key: string, since: string): boolean {
  const newest = held.newest(key);
  return newest === null ? (held.askedAt(key) ?? '') < since : newest.checkedAt < since;
}

function parsed<T>(body: Uint8Array, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    return null;
  }
}
