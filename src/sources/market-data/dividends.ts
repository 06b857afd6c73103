// Cash dividends of US listings from a vendor: dates of ex, payment and declaration, amount per share in US dollars as declared, not adjusted for
// later splits. A day may have a regular and a special dividend; a row may be repeated.
import { isDay, periodOf } from '../../model/period.ts';
import { observationBatches } from '../records/batches.ts';
import { type CsvRow, readCsv } from '../readers/csv.ts';
import { excerpt } from '../readers/text.ts';
import type { Batch, ObservationRecord, RefusedRecord } from '../../model/record.ts';
import { knownOn, type Payload, type Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'dividends';
const FILE = /(?:^|\/)prices\/dividends\/([A-Z][A-Z0-9.]*)\.csv$/;

/** Symbols that have since passed to another company: the SEC's list has only the present owner, and would name the wrong one. */
const PASSED_ON: Readonly<Record<string, string>> = { MNR: 'Monmouth Real Estate until 2022, Mach Natural Resources since 2023' };

export const dividends: Source = {
  id: ID,
  version: 1,
  owns: (path) => FILE.test(path),
  address: () => null,
  mediaType: 'text/csv',
  normalise,
};

interface Dividend {
  readonly exDay: string;
  /** null: not stated. */
  readonly declaredDay: string | null;
  readonly amount: number;
}

function* normalise({ key, body, retrievedAt }: Payload): Generator<Batch> {
  const symbol = FILE.exec(key)?.[1];
  if (symbol === undefined) throw new UpstreamError(ID, `${key} is not named by a symbol`);
  const { read, refused } = readDividends(body, symbol);
  const byDay = new Map<string, Dividend[]>();
  for (const dividend of read) byDay.set(dividend.exDay, [...(byDay.get(dividend.exDay) ?? []), dividend]);
  const days = [...byDay.keys()].sort();
  const passedOn = PASSED_ON[symbol];
  if (passedOn !== undefined) {
    yield { kind: 'refused', rows: [...refused, ...days.map((day) => withoutOwner(symbol, day, passedOn))] };
    return;
  }
  yield* observationBatches(days.map((day) => toRecord(symbol, day, byDay.get(day) ?? [], retrievedAt)));
  if (refused.length > 0) yield { kind: 'refused', rows: refused };
}

function readDividends(body: Uint8Array, symbol: string): { read: Dividend[]; refused: RefusedRecord[] } {
  const table = readCsv(body, { sourceId: ID, required: ['Ex', 'Pay', 'Dec', 'Div'] });
  const [ex, declared, amount] = [table.text('Ex'), table.text('Dec'), table.number('Div')];
  const dayOf = (text: string, row: CsvRow) => {
    if (!isDay(text)) throw new UpstreamError(ID, `expected a day on line ${row.line}, found ${excerpt(text)}`);
    return text;
  };
  const read: Dividend[] = [];
  const refused: RefusedRecord[] = [];
  for (const row of table.rows) {
    const [exDay, value] = [dayOf(ex(row), row), amount(row)];
    const declaredDay = declared(row) === '' ? null : dayOf(declared(row), row);
    if (value !== null && value > 0) read.push({ exDay, declaredDay, amount: value });
    else refused.push(withoutAmount(symbol, exDay, value));
  }
  return { read, refused };
}

/** Known on the ex day; if the vendor has a later declaration date, from that. */
function toRecord(symbol: string, day: string, paid: readonly Dividend[], retrievedAt: string): ObservationRecord {
  const amounts = [...new Set(paid.map(({ amount }) => amount))];
  const known = paid.reduce((latest, { declaredDay }) => (declaredDay !== null && declaredDay > latest ? declaredDay : latest), day);
  return {
    seriesCode: `${symbol}.dividend`,
    canonicalId: 'dividend_per_share',
    // The payload has no filer: the symbol is resolved through the SEC's list of tickers.
    entityId: `ticker:${symbol.toLowerCase()}`,
    frequency: 'event',
    unit: 'usd',
    ...periodOf('event', day),
    value: Number(amounts.reduce((sum, amount) => sum + amount, 0).toPrecision(15)),
    observedAt: knownOn(known, retrievedAt),
  };
}

function withoutAmount(symbol: string, day: string, amount: number | null): RefusedRecord {
  return {
    rule: 'out_of_range',
    seriesCode: `${symbol}.dividend`,
    entityId: null,
    period: day,
    fieldPath: 'Div',
    observedValue: amount === null ? null : String(amount),
    reason: 'a dividend is above 0; vendors write 0 for an amount that they do not have',
  };
}

function withoutOwner(symbol: string, day: string, owners: string): RefusedRecord {
  return {
    rule: 'identity_unresolved',
    seriesCode: `${symbol}.dividend`,
    entityId: null,
    period: day,
    fieldPath: 'Ex',
    observedValue: null,
    reason: `the symbol has passed on: ${owners}`,
  };
}
