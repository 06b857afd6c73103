// US Census Bureau, New Residential Construction: one file of several CSV sections, in which the rows of DATA are indices into
// the dictionaries before it.
import { type Period, periodOf } from '../../model/period.ts';
import { observationBatches } from '../records/batches.ts';
import { RESCONST_ADDRESSES, RESCONST_MEMBER, usCensusFeed } from './feed.ts';
import { parseCsv, parseNumber } from '../readers/csv.ts';
import { decodeText, excerpt, refuseMarkup } from '../readers/text.ts';
import { isZip, onlyMember, readUnpacked } from '../readers/zip.ts';
import type { Batch, ObservationRecord, RefusedRecord } from '../../model/record.ts';
import { knownOn, type Payload, type Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'us_census';

export const usCensus: Source = {
  id: ID,
  version: 2,
  owns: (path) => /(?:^|\/)(?:us-census\/RESCONST-mf[^/]*\.(?:csv|zip)|us_census\/RESCONST-mf[^/]*\.zip)$/.test(path),
  address: (path) => (path.endsWith('.zip') ? RESCONST_ADDRESSES[0] : 'https://www.census.gov/econ/currentdata/datasets/index'),
  mediaType: 'text/csv',
  knownAt: (payload) => (isZip(payload.body) ? packedUpdatedAt(payload) : updatedAt(sectionsOf(payload), payload)),
  normalise: (payload) => readUnpacked(ID, payload, readSections, RESCONST_MEMBER),
  feed: usCensusFeed,
};

async function packedUpdatedAt(payload: Payload): Promise<string> {
  const body = await onlyMember(ID, payload.body, undefined, RESCONST_MEMBER);
  return updatedAt(sectionsOf({ ...payload, body }), payload);
}

const DICTIONARIES = ['CATEGORIES', 'DATA TYPES', 'ERROR TYPES', 'GEO LEVELS', 'TIME PERIODS'] as const;
const SECTIONS: readonly string[] = [...DICTIONARIES, 'NOTES', 'DATA UPDATED ON', 'DATA'];

/** Title → the text between that title and the next. */
type Sections = ReadonlyMap<string, string>;

function* readSections(payload: Payload): Generator<Batch> {
  const sections = sectionsOf(payload);
  const codes = codesOf(sections);
  const refused: RefusedRecord[] = [];
  yield* observationBatches(observationsOf(sectionOf(sections, 'DATA'), codes, updatedAt(sections, payload), refused));
  if (refused.length > 0) yield { kind: 'refused', rows: refused };
}

function sectionsOf({ body }: Payload): Sections {
  const text = decodeText(ID, body);
  refuseMarkup(ID, text, 'CSV in sections');
  if (!text.endsWith('\n')) throw new UpstreamError(ID, `the last line is not ended, the file is truncated: ${excerpt(text.slice(-40))}`);
  const sections = new Map<string, string>();
  let title = '';
  let start = 0;
  let isAfterBlank = true; // Only there is a line a title; a note may contain the same words.
  for (const { line, from, to } of linesOf(text)) {
    if (isAfterBlank && SECTIONS.includes(line)) {
      if (title !== '') sections.set(title, text.slice(start, from));
      if (sections.has(line)) throw new UpstreamError(ID, `the section ${line} stands twice`);
      title = line;
      start = to;
      if (line === 'DATA') break;
    }
    isAfterBlank = line === '';
  }
  return sections.set(title, text.slice(start));
}

function* linesOf(text: string): Generator<{ readonly line: string; readonly from: number; readonly to: number }> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const to = end === -1 ? text.length : end + 1;
    yield { line: text.slice(from, to).trimEnd(), from, to };
    from = to;
  }
}

function sectionOf(sections: Sections, title: string): string {
  const section = sections.get(title);
  if (section === undefined)
    throw new UpstreamError(ID, `expected the section ${title}, found ${[...sections.keys()].join(', ') || 'none'}`);
  return section;
}

/** The day of the update. Its time is before the release at 08:30, from which the file counts as known. */
function updatedAt(sections: Sections, { retrievedAt }: Payload): string {
  const text = sectionOf(sections, 'DATA UPDATED ON').trim();
  const [, day, month, year] = /^[A-Z][a-z]+, (\d{1,2})-([A-Z][a-z]{2})-(\d{2}) \d{2}:\d{2}:\d{2}/.exec(text) ?? [];
  const number = MONTHS.indexOf(month ?? '') + 1;
  if (day === undefined || number === 0) throw new UpstreamError(ID, `expected a day in DATA UPDATED ON, found ${excerpt(text)}`);
  return knownOn(`20${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`, retrievedAt);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

interface Codes {
  readonly category: ReadonlyMap<string, string>;
  readonly dataType: ReadonlyMap<string, string>;
  readonly errorType: ReadonlyMap<string, string>;
  readonly geoLevel: ReadonlyMap<string, string>;
  readonly period: ReadonlyMap<string, Period>;
}

function codesOf(sections: Sections): Codes {
  const periods = dictionary(sections, 'TIME PERIODS', 'per_idx', 'per_name');
  return {
    category: dictionary(sections, 'CATEGORIES', 'cat_idx', 'cat_code'),
    dataType: dictionary(sections, 'DATA TYPES', 'dt_idx', 'dt_code', ['dt_unit', 'K']),
    errorType: dictionary(sections, 'ERROR TYPES', 'et_idx', 'err_code', ['err_unit', 'PCT']),
    geoLevel: dictionary(sections, 'GEO LEVELS', 'geo_idx', 'geo_code'),
    period: new Map([...periods].map(([index, name]) => [index, periodOf('monthly', monthOf(name))])),
  };
}

/** A unit other than the known one would change the meaning of a series without changing its code. */
function dictionary(sections: Sections, title: string, index: string, code: string, unit?: readonly [string, string]): Map<string, string> {
  const table = parseCsv(sectionOf(sections, title), { sourceId: ID, required: [index, code, ...(unit === undefined ? [] : [unit[0]])] });
  const [indexOf, codeOf] = [table.text(index), table.text(code)];
  if (unit !== undefined) {
    const unitOf = table.text(unit[0]);
    const odd = table.rows.find((row) => unitOf(row) !== unit[1]);
    if (odd !== undefined) throw new UpstreamError(ID, `expected the unit ${unit[1]} for ${codeOf(odd)}, found ${excerpt(unitOf(odd))}`);
  }
  const codes = new Map(table.rows.map((row) => [indexOf(row), codeOf(row)]));
  if (codes.size < table.rows.length) throw new UpstreamError(ID, `an index stands twice in ${title}`);
  return codes;
}

function monthOf(name: string): string {
  const [, month, year] = /^([A-Z][a-z]{2})-(\d{4})$/.exec(name) ?? [];
  const number = MONTHS.indexOf(month ?? '') + 1;
  if (number === 0) throw new UpstreamError(ID, `expected a month such as Jan-1959 in TIME PERIODS, found ${excerpt(name)}`);
  return `${year}-${String(number).padStart(2, '0')}-01`;
}

const COLUMNS = ['per_idx', 'cat_idx', 'dt_idx', 'et_idx', 'geo_idx', 'is_adj', 'val'] as const;
// Not available, suppressed, withheld, not applicable, less than half of the unit shown.
const MISSING = new Set(['', '.', '-', 'NA', '(NA)', '(S)', '(D)', '(X)', '(Z)']);

type Row = Readonly<Record<(typeof COLUMNS)[number], string>>;

/** The rows of DATA; a row with invalid indices goes to `refused`. */
function* observationsOf(data: string, codes: Codes, observedAt: string, refused: RefusedRecord[]): Generator<ObservationRecord> {
  const values = new Map<string, number | null>();
  const used = { cat_idx: new Set<string>(), geo_idx: new Set<string>(), dt_idx: new Set<string>(), et_idx: new Set<string>() };
  for (const row of rowsOf(data)) {
    for (const column of ['cat_idx', 'geo_idx', 'dt_idx', 'et_idx'] as const) used[column].add(row[column]);
    const seriesCode = seriesCodeOf(row, codes);
    const period = codes.period.get(row.per_idx);
    if (seriesCode === null || period === undefined) {
      refused.push(
        refusal('identity_unresolved', row, seriesCode, period?.period ?? null, 'an index of the row is in no dictionary of the file'),
      );
      continue;
    }
    const value = valueOf(row);
    const slot = `${seriesCode}|${period.period}`;
    const before = values.get(slot);
    if (before !== undefined && before !== value) {
      refused.push(refusal('duplicate_conflict', row, seriesCode, period.period, `the file states ${before} for the same month before`));
      continue;
    }
    values.set(slot, value);
    yield { seriesCode, frequency: 'monthly', ...period, value, observedAt };
  }
  refuseUnused('CATEGORIES', codes.category, used.cat_idx);
  refuseUnused('GEO LEVELS', codes.geoLevel, used.geo_idx);
  refuseUnused('DATA TYPES', codes.dataType, used.dt_idx);
  refuseUnused('ERROR TYPES', codes.errorType, used.et_idx);
}

function* rowsOf(data: string): Generator<Row> {
  let places: readonly number[] | null = null;
  let width = 0;
  for (const { line } of linesOf(data)) {
    const cells = line.split(',');
    if (places === null) {
      places = COLUMNS.map((column) => cells.indexOf(column));
      width = cells.length;
      if (places.includes(-1))
        throw new UpstreamError(ID, `expected the columns ${COLUMNS.join(', ')} in DATA, found ${excerpt(line, 120)}`);
    } else if (line !== '') {
      if (cells.length !== width) throw new UpstreamError(ID, `expected ${width} columns in DATA, found ${excerpt(line)}`);
      const [perIdx, catIdx, dtIdx, etIdx, geoIdx, isAdj, val] = places.map((place) => (cells[place] ?? '').trim());
      yield {
        per_idx: perIdx ?? '',
        cat_idx: catIdx ?? '',
        dt_idx: dtIdx ?? '',
        et_idx: etIdx ?? '',
        geo_idx: geoIdx ?? '',
        is_adj: isAdj ?? '',
        val: val ?? '',
      };
    }
  }
}

/** `ASTARTS.TOTAL.US.A`. An estimate has a data type and error type 0, its relative standard error the reverse, as `E_TOTAL`. */
function seriesCodeOf(row: Row, codes: Codes): string | null {
  const category = codes.category.get(row.cat_idx);
  const geoLevel = codes.geoLevel.get(row.geo_idx);
  const type = row.et_idx === '0' ? codes.dataType.get(row.dt_idx) : row.dt_idx === '0' ? codes.errorType.get(row.et_idx) : undefined;
  const adjustment = row.is_adj === '1' ? 'A' : row.is_adj === '0' ? 'N' : undefined;
  const parts = [category, type, geoLevel, adjustment];
  return parts.includes(undefined) ? null : parts.join('.');
}

function valueOf({ val }: Row): number | null {
  if (MISSING.has(val)) return null;
  const value = parseNumber(val);
  if (value === null) throw new UpstreamError(ID, `expected a number in val, found ${excerpt(val)}`);
  return value;
}

function refusal(rule: RefusedRecord['rule'], row: Row, seriesCode: string | null, period: string | null, reason: string): RefusedRecord {
  return {
    rule,
    seriesCode,
    entityId: null,
    period,
    fieldPath: 'val',
    observedValue: row.val,
    reason: `${reason}: ${Object.values(row).join(',')}`,
  };
}

/** Rows have no fixed order and the file states no count: a dictionary entry without any row means that the file was cut between lines. */
function refuseUnused(title: string, codes: ReadonlyMap<string, string>, used: ReadonlySet<string>): void {
  const unused = [...codes].find(([index]) => !used.has(index));
  if (unused !== undefined) throw new UpstreamError(ID, `DATA has no row for ${unused[1]} of ${title}, the file may be truncated`);
}
