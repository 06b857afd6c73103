// Banco Central do Brasil: asked in windows, because daily series are limited to ten years per answer.
import { isMissingDue, type Publication, WORKING_DAYS } from '../feeds/due.ts';
import type { Answer, Feed, Held, Request } from '../feeds/feed.ts';
import { isFileDue } from '../feeds/whole-files.ts';

/** Series → its first year. */
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
    if (window.until >= yearOf(now)) return isFileDue(now, held, window.key, { publication: BCB_MORNING });
    if (held.newest(window.key) === null) return isMissingDue(now, held, window.key);
    return !isFinal(window, held) && isFileDue(now, held, window.key);
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
