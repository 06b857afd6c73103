// Statistics of central banks with their own CSV or JSON: whole histories, except for the Banco Central do Brasil, which is asked in windows.
import { z } from 'zod';
import { isKeyDue, isMissingDue, type Publication, WORKING_DAYS } from './due.ts';
import type { Answer, Feed, GiveUp, Held, Request } from './feed.ts';

const isDueOnce = (now: string, held: Held, key: string, publication: Publication | null = null): boolean =>
  isKeyDue(now, held, key, { everyHours: 24, publication, isOnce: true });

const feedOf = (publisher: Feed['publisher'], files: readonly Request[], publication?: Publication): Feed => ({
  publisher,
  isDue: (now, held) => files.some(({ key }) => isDueOnce(now, held, key, publication)),
  *plan(now, held) {
    yield* files.filter(({ key }) => isDueOnce(now, held, key, publication));
  },
});

// Bank of England: it answers unknown codes with a page.
export const BOE_CODES: readonly string[] = ['IUDBEDR', 'IUDSOIA'];
export const BOE_RATES = `https://www.bankofengland.co.uk/boeapps/database/_iadb-fromshowcolumns.asp?csv.x=yes&Datefrom=01/Jan/1975&Dateto=now&SeriesCodes=${BOE_CODES.join(',')}&CSVF=TN&UsingCodes=Y&VPD=Y&VFD=N`;
export const boeFeed = feedOf('boe', [{ key: 'boe/rates.csv', url: BOE_RATES }], {
  time: '12:00',
  zone: 'Europe/London',
  weekdays: WORKING_DAYS,
});

// Sveriges Riksbank: series → its first day. Without a last day it sends all data; without data, status 204.
export const RIKSBANK_SERIES: Readonly<Record<string, string>> = {
  SECBREPOEFF: '1994-06-01',
  SEKEURPMI: '1999-01-04',
  SEKUSDPMI: '1993-01-04',
};
export const riksbankAddress = (code: string): string =>
  `https://api.riksbank.se/swea/v1/Observations/${code}/${RIKSBANK_SERIES[code] ?? ''}`;
export const riksbankFeed = feedOf(
  'riksbank_api',
  Object.keys(RIKSBANK_SERIES).map((code) => ({ key: `riksbank/${code}.json`, url: riksbankAddress(code) })),
  { time: '16:30', zone: 'Europe/Stockholm', weekdays: WORKING_DAYS },
);

// Bank of Canada.
export const BOC_SERIES: readonly string[] = ['V39079', 'FXEURCAD', 'FXUSDCAD'];
export const bocAddress = (code: string): string => `https://www.bankofcanada.ca/valet/observations/${code}/json?start_date=2009-01-01`;
export const bocFeed = feedOf(
  'boc',
  BOC_SERIES.map((code) => ({ key: `boc/${code}.json`, url: bocAddress(code) })),
  { time: '16:30', zone: 'America/Toronto', weekdays: WORKING_DAYS },
);

// Swiss National Bank: without a first day it sends only the last few.
export const SNB_CODES: readonly string[] = ['LZ', 'SARON'];
export const SNB_ADDRESS = `https://data.snb.ch/api/cube/snbgwdzid/data/json/en?dimSel=D0(${SNB_CODES.join(',')})&fromDate=2000-01-01`;
export const snbFeed = feedOf('snb', [{ key: 'snb/snbgwdzid.json', url: SNB_ADDRESS }]);

// Bank of Japan: database → its codes, all of one frequency.
export const BOJ_DATABASES: Readonly<Record<string, readonly string[]>> = { FM01: ['STRDCLUCON'], FM08: ['FXERD01'] };
const BOJ_MORNING: Publication = { time: '08:50', zone: 'Asia/Tokyo', weekdays: WORKING_DAYS };

export function bojAddress(database: string, position: string | null): string {
  const codes = (BOJ_DATABASES[database] ?? []).join(',');
  const from = position === null ? '' : `&startPosition=${position}`;
  return `https://www.stat-search.boj.or.jp/api/v1/getDataCode?db=${database}&code=${codes}&format=json&lang=en${from}`;
}

const BojAnswer = z.looseObject({ STATUS: z.int(), MESSAGE: z.string(), NEXTPOSITION: z.int().positive().nullish() });

export const bojFeed: Feed = {
  publisher: 'boj',
  isDue: (now, held) => Object.keys(BOJ_DATABASES).some((database) => isDueOnce(now, held, `boj/${database}.json`, BOJ_MORNING)),
  *plan(now, held) {
    for (const database of Object.keys(BOJ_DATABASES))
      if (isDueOnce(now, held, `boj/${database}.json`, BOJ_MORNING)) yield* bojPages(database);
  },
  // Each answer contains its own time.
  essence: (body) => new TextDecoder().decode(body).replace(/"DATE":\s*"[^"]*"/, ''),
};

/** All positions of a database as one group, because refusals also have status 200. */
function* bojPages(database: string): Generator<Request | GiveUp, void, Answer> {
  for (let position: number | null = null; ; ) {
    const page: string = position === null ? '' : `.${position}`;
    const url = bojAddress(database, position === null ? null : String(position));
    const answer = yield { key: `boj/${database}${page}.json`, url, group: `boj/${database}` };
    if (!('body' in answer)) return;
    const told = saidBy(answer.body);
    if (told?.STATUS !== 200) {
      yield {
        giveUp: `${database}: the answer is ${told === null ? 'of another layout' : `${told.STATUS}: ${told.MESSAGE.slice(0, 200)}`}`,
      };
      return;
    }
    const next: number | null = told.NEXTPOSITION ?? null;
    if (next === null) return;
    if (position !== null && next <= position) {
      yield { giveUp: `${database}: the answer goes on at ${next} after ${position}` };
      return;
    }
    position = next;
  }
}

function saidBy(body: Uint8Array): z.infer<typeof BojAnswer> | null {
  try {
    return BojAnswer.safeParse(JSON.parse(new TextDecoder().decode(body))).data ?? null;
  } catch {
    return null;
  }
}

// Banco Central do Brasil: series → first day. Daily ones are limited to ten years per answer.
export const BCB_SERIES: Readonly<Record<string, { readonly frequency: 'daily' | 'monthly'; readonly firstYear: number }>> = {
  1: { frequency: 'daily', firstYear: 1984 },
  432: { frequency: 'daily', firstYear: 1999 },
  433: { frequency: 'monthly', firstYear: 1980 },
};
const WINDOW_YEARS = 10;
const BCB_MORNING: Publication = { time: '09:00', zone: 'America/Sao_Paulo', weekdays: WORKING_DAYS };

/** @param first the first year of a window; null if all data come at once */
export function bcbAddress(code: string, first: string | null): string {
  const within = first === null ? '' : `&dataInicial=01/01/${first}&dataFinal=31/12/${Number(first) + WINDOW_YEARS - 1}`;
  return `https://api.bcb.gov.br/dados/serie/bcdata.sgs.${code}/dados?formato=json${within}`;
}

interface Window extends Request {
  /** Its first and last year. */
  readonly since: number;
  readonly until: number;
}

function bcbWindows(now: string): Window[] {
  const year = yearOf(now);
  return Object.entries(BCB_SERIES).flatMap(([code, { frequency, firstYear }]) => {
    if (frequency === 'monthly') return [{ key: `bcb/${code}.json`, url: bcbAddress(code, null), since: firstYear, until: year }];
    return yearsUntil(year, firstYear, WINDOW_YEARS).map((first) => ({
      key: `bcb/${code}.${first}.json`,
      url: bcbAddress(code, String(first)),
      since: first,
      until: first + WINDOW_YEARS - 1,
    }));
  });
}

export const bcbFeed: Feed = windowedFeed(bcbWindows);

/** Names in keys → names of the data sets. The last one is asked first. */
export const FOCUS_SETS: Readonly<Record<string, string>> = {
  Mensais: 'ExpectativaMercadoMensais',
  Anuais: 'ExpectativasMercadoAnuais',
  Inflacao12Meses: 'ExpectativasMercadoInflacao12Meses',
};
const FOCUS_FILTERS: Readonly<Record<string, string>> = {
  Mensais: " and Indicador eq 'IPCA'",
  Anuais: " and (Indicador eq 'IPCA' or Indicador eq 'Selic')",
  Inflacao12Meses: " and Indicador eq 'IPCA'",
};
const FOCUS_FIRST_YEAR = 2002;

export function bcbFocusAddress(set: string, year: string | null): string {
  const address = `https://olinda.bcb.gov.br/olinda/servico/Expectativas/versao/v1/odata/${FOCUS_SETS[set] ?? ''}`;
  if (year === null) return address;
  const filter = `Data ge '${year}-01-01' and Data le '${year}-12-31' and baseCalculo eq 0${FOCUS_FILTERS[set] ?? ''}`;
  return `${address}?$filter=${encodeURIComponent(filter)}&$orderby=Data&$format=json`;
}

export const bcbFocusFeed: Feed = windowedFeed((now) =>
  Object.keys(FOCUS_SETS).flatMap((set) =>
    yearsUntil(yearOf(now), FOCUS_FIRST_YEAR).map((year) => ({
      key: `bcb-focus/${set}.${year}.json`,
      url: bcbFocusAddress(set, String(year)),
      since: year,
      until: year,
    })),
  ),
);

/** Finished windows are requested once more, a month after their end. In the first days of a window there may be no data yet. */
function windowedFeed(windowsOf: (now: string) => readonly Window[]): Feed {
  const isFinal = ({ key, until }: Window, held: Held) => (held.newest(key)?.checkedAt ?? '') >= `${until + 1}-02-01`;
  const isDue = (now: string, held: Held, window: Window) => {
    if (window.until >= yearOf(now)) return isDueOnce(now, held, window.key, BCB_MORNING);
    if (held.newest(window.key) === null) return isMissingDue(now, held, window.key);
    return !isFinal(window, held) && isDueOnce(now, held, window.key);
  };
  return {
    publisher: 'bcb',
    isDue: (now, held) => windowsOf(now).some((window) => isDue(now, held, window)),
    *plan(now, held) {
      for (const window of windowsOf(now).toReversed()) {
        if (!isDue(now, held, window)) continue;
        const { since, until: _, ...request } = window;
        const firstDays = `${since}-01-15`;
        const answer: Answer = yield { ...request, group: window.key, ...(since === yearOf(now) ? { dueBy: firstDays } : {}) };
        const isEmpty = 'body' in answer && /^\s*\[\s*\]|"value":\s*\[\s*\]/.test(new TextDecoder().decode(answer.body));
        if (isEmpty) yield { giveUp: `${window.key}: the answer has no rows`, isNotOutYet: now.slice(0, 10) <= firstDays, isEmpty };
      }
    },
  };
}

const yearOf = (now: string): number => Number(now.slice(0, 4));

function yearsUntil(year: number, first: number, step = 1): number[] {
  return Array.from({ length: Math.max(0, Math.floor((year - first) / step) + 1) }, (_, index) => first + index * step);
}
