// Banco Central do Brasil, the Focus survey of market expectations: medians of the answers, by the day of the survey. A value is an observation
// of that day, never of the year or month that it is about. The series names that target: the survey's own, the next year or the month before.
import { z } from 'zod';
import { periodOf } from '../../model/period.ts';
import type { ObservationRecord } from '../../model/record.ts';
import { observationBatches, withoutRepeats } from '../records/batches.ts';
import { bcbFocusFeed } from './feed.ts';
import { bcbFocusAddress } from './feed.ts';
import { FOCUS_SETS } from './feed.ts';
import { readJson, StatedNumber } from '../readers/json.ts';
import { excerpt } from '../readers/text.ts';
import type { Payload, Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';
import { expectDay } from '../records/daily.ts';

const ID = 'bcb_focus';
const FILE = /(?:^|\/)bcb-focus\/(Anuais|Inflacao12Meses|Mensais)\.(\d{4})\.json$/;
const SAMPLES: Readonly<Record<string, string>> = { expectations: 'Anuais', inflation: 'Inflacao12Meses' };
const SAMPLE = /(?:^|\/)central-banks\/bcb-(expectations|inflation)\.json$/;

export const bcbFocus: Source = {
  id: ID,
  version: 3,
  owns: (path) => setOf(path) !== null,
  address: (path) => bcbFocusAddress(setOf(path) ?? '', FILE.exec(path)?.[2] ?? null),
  mediaType: 'application/json',
  knownAt: ({ retrievedAt }) => retrievedAt,
  normalise: (payload) => observationBatches(withoutRepeats(ID, rowsOf(payload))),
  feed: bcbFocusFeed,
};

function setOf(path: string): string | null {
  return FILE.exec(path)?.[1] ?? SAMPLES[SAMPLE.exec(path)?.[1] ?? ''] ?? null;
}

const Row = z.looseObject({
  Indicador: z.string(),
  Data: z.string(),
  Mediana: StatedNumber.nullable(),
  /** 0: answers of the last thirty days, 1: only of the last working days. */
  baseCalculo: z.union([z.literal(0), z.literal(1)]),
});
const Annual = Row.extend({ DataReferencia: z.string(), IndicadorDetalhe: z.string().nullable() });
const Monthly = Row.extend({ DataReferencia: z.string() });
const Ahead = Row.extend({ Suavizada: z.enum(['S', 'N']) });
const answerOf = <T>(row: z.ZodType<T>) => z.looseObject({ '@odata.context': z.string(), value: z.array(row) });

function rowsOf(payload: Payload): ObservationRecord[] {
  const rows = (ROWS[setOf(payload.key) ?? ''] ?? aheadRows)(payload);
  if (rows.length === 0) throw new UpstreamError(ID, 'the answer has no rows that are read');
  return rows;
}

const ROWS: Readonly<Record<string, (payload: Payload) => ObservationRecord[]>> = { Anuais: annualRows, Mensais: monthlyRows };

function expectSet(context: string, set: string): void {
  const name = FOCUS_SETS[set] ?? '';
  if (!context.endsWith(`$metadata#${name}`))
    throw new UpstreamError(ID, `expected ${name}, found ${excerpt(context.split('#').at(-1) ?? '')}`);
}

/** For the year of the survey and the next: forecasters keep expecting a year's prices until they are published. */
function annualRows({ body, retrievedAt }: Payload): ObservationRecord[] {
  const answer = readJson(ID, body, answerOf(Annual));
  expectSet(answer['@odata.context'], 'Anuais');
  return answer.value.flatMap((row) => {
    const day = expectDay(ID, row.Indicador, row.Data, row.Data);
    if (!/^\d{4}$/.test(row.DataReferencia))
      throw new UpstreamError(ID, `expected a year for ${day}, found ${excerpt(row.DataReferencia)}`);
    const horizon = Number(row.DataReferencia) - Number(day.slice(0, 4));
    if (row.baseCalculo !== 0 || row.IndicadorDetalhe !== null || !['IPCA', 'Selic'].includes(row.Indicador) || ![0, 1].includes(horizon))
      return [];
    return [recordOf(`Anuais.${row.Indicador}.${horizon === 0 ? 'current' : 'next'}`, day, row.Mediana, retrievedAt)];
  });
}

/** For the month of the survey and the one before: forecasters keep expecting that one until its prices are published. */
function monthlyRows({ body, retrievedAt }: Payload): ObservationRecord[] {
  const answer = readJson(ID, body, answerOf(Monthly));
  expectSet(answer['@odata.context'], 'Mensais');
  return answer.value.flatMap((row) => {
    const day = expectDay(ID, row.Indicador, row.Data, row.Data);
    const [, month, year] = /^(0[1-9]|1[0-2])\/(\d{4})$/.exec(row.DataReferencia) ?? [];
    if (month === undefined) throw new UpstreamError(ID, `expected a month for ${day}, found ${excerpt(row.DataReferencia)}`);
    const horizon = monthsOf(Number(year), Number(month)) - monthsOf(Number(day.slice(0, 4)), Number(day.slice(5, 7)));
    if (row.baseCalculo !== 0 || row.Indicador !== 'IPCA' || ![-1, 0].includes(horizon)) return [];
    return [recordOf(`Mensais.IPCA.${horizon === 0 ? 'current' : 'previous'}`, day, row.Mediana, retrievedAt)];
  });
}

const monthsOf = (year: number, month: number): number => 12 * year + month;

/** For the twelve months after the survey; the bank reports the smoothed value first. */
function aheadRows({ body, retrievedAt }: Payload): ObservationRecord[] {
  const answer = readJson(ID, body, answerOf(Ahead));
  expectSet(answer['@odata.context'], 'Inflacao12Meses');
  return answer.value.flatMap((row) => {
    const day = expectDay(ID, row.Indicador, row.Data, row.Data);
    if (row.baseCalculo !== 0 || row.Indicador !== 'IPCA') return [];
    return [recordOf(`Inflacao12Meses.IPCA.${row.Suavizada}`, day, row.Mediana, retrievedAt)];
  });
}

function recordOf(seriesCode: string, day: string, value: number | null, observedAt: string): ObservationRecord {
  return { seriesCode, ...periodOf('daily', day), value, observedAt };
}
