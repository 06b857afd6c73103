// SEC, Financial Statement Data Sets: one zip per quarter with the filings that have statements in XBRL (sub.txt) and the numbers of these statements
// (num.txt). Period ends are rounded to ends of months, lengths to quarters: the numbers check the facts of companies and do not replace them.
import { isDay } from '../../model/period.ts';
import type { Batch, EntityRecord, FilingRecord, StatementNumberRecord } from '../../model/record.ts';
import { FSDS_ADDRESSES, secFsdsFeed } from './fsds-feed.ts';
import { type CsvRow, type CsvTable, type StreamOptions, streamCsv } from '../readers/csv.ts';
import { acceptedWithin, disseminatedAt } from './clock.ts';
import { excerpt } from '../readers/text.ts';
import { type Member, membersOf } from '../readers/zip.ts';
import { knownOn, type Payload, type Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'sec_fsds';
const FILE = /(?:^|\/)sec\/fsds\/(?:(\d{4}q[1-4])|\d{8})\.zip$/;
/** Four members; the numbers of a quarter have half a gigabyte. */
const MOST_BYTES = 2 * 1024 ** 3;

export const secFsds: Source = {
  id: ID,
  version: 1,
  owns: (path) => FILE.test(path),
  // Files named by a day are excerpts of EDGAR's own files, made by others.
  address: (path) => {
    const quarter = FILE.exec(path)?.[1];
    return quarter === undefined ? null : `${FSDS_ADDRESSES[0]}${quarter}.zip`;
  },
  mediaType: 'application/zip',
  normalise: readQuarter,
  feed: secFsdsFeed,
};

/** The parts of a filing that a number needs. */
type Filed = Pick<FilingRecord, 'cik' | 'filed' | 'observedAt'>;

async function* readQuarter({ body, retrievedAt }: Payload): AsyncGenerator<Batch> {
  const members = await membersOf(ID, body, MOST_BYTES);
  const filings = new Map<string, Filed>();
  for await (const table of tablesOf(members, 'sub.txt', ['adsh', 'cik', 'name', 'form', 'filed', 'accepted'])) {
    const read = submissionsOf(table, retrievedAt);
    for (const { accessionNumber, ...filed } of read.filings) {
      if (filings.has(accessionNumber)) throw new UpstreamError(ID, `the filing ${accessionNumber} stands twice in sub.txt`);
      filings.set(accessionNumber, filed);
    }
    if (read.filings.length === 0) continue;
    yield { kind: 'entities', rows: read.entities };
    yield { kind: 'filings', rows: read.filings };
  }
  for await (const table of tablesOf(members, 'num.txt', [
    'adsh',
    'tag',
    'version',
    'ddate',
    'qtrs',
    'uom',
    'coreg',
    'value',
    'segments',
  ])) {
    const rows = numbersOf(table, filings);
    if (rows.length > 0) yield { kind: 'statement_numbers', rows };
  }
}

function tablesOf(members: readonly Member[], name: string, required: StreamOptions['required']): AsyncGenerator<CsvTable> {
  const member = members.find((one) => one.name === name);
  if (member === undefined)
    throw new UpstreamError(
      ID,
      `expected ${name} in the zip file, found ${excerpt(members.map((one) => one.name).join(', ')) || 'nothing'}`,
    );
  return streamCsv(member.stream(), { sourceId: ID, required, delimiter: '\t' });
}

function submissionsOf(table: CsvTable, retrievedAt: string): { readonly filings: FilingRecord[]; readonly entities: EntityRecord[] } {
  const [adsh, cikOf, name, form] = (['adsh', 'cik', 'name', 'form'] as const).map(table.text) as [Text, Text, Text, Text];
  const [filedOn, acceptedOn] = [table.text('filed'), table.text('accepted')];
  const country = table.has('countryba') ? table.text('countryba') : () => '';
  const filings = table.rows.map((row): FilingRecord => {
    const filed = dayOf(filedOn(row), row);
    const accepted = acceptanceOf(acceptedOn(row), row);
    return {
      cik: cikIn(cikOf(row), row),
      accessionNumber: accessionIn(adsh(row), row),
      form: form(row),
      filed,
      // Of the balance sheet; rounded.
      reportDate: null,
      acceptedAt: accepted?.first ?? null,
      items: null,
      primaryDocument: null,
      observedAt: accepted === null ? knownOn(filed, retrievedAt) : disseminatedAt(accepted.last, filed, form(row), retrievedAt),
    };
  });
  const entities = table.rows.map((row, index): EntityRecord => {
    const { cik, filed } = filings[index] as FilingRecord;
    const code = country(row);
    return {
      entityId: `company_${cik}`,
      entityType: 'company',
      name: name(row),
      country: /^[A-Z]{2}$/.test(code) ? code : null,
      currency: null,
      identifiers: { cik },
      seenOn: filed,
    };
  });
  return { filings, entities };
}

type Text = (row: CsvRow) => string;

/** Numbers of the whole company, with a value, under a tag of a standard taxonomy: others are not among the facts of companies. */
function numbersOf(table: CsvTable, filings: ReadonlyMap<string, Filed>): StatementNumberRecord[] {
  const text = (column: string): Text => table.text(column);
  const [adsh, tag, version, ddate, qtrs, uom, coreg, segments] = [
    text('adsh'),
    text('tag'),
    text('version'),
    text('ddate'),
    text('qtrs'),
    text('uom'),
    text('coreg'),
    text('segments'),
  ];
  const valueOf = table.number('value');
  return table.rows.flatMap((row): StatementNumberRecord[] => {
    const filed = filings.get(adsh(row));
    if (filed === undefined) throw problem(row, `a filing that sub.txt has, found ${excerpt(adsh(row))}`);
    const value = valueOf(row);
    const taxonomy = /^([^/]+)\/\d{4}/.exec(version(row))?.[1];
    if (coreg(row) !== '' || segments(row) !== '' || taxonomy === undefined || value === null) return [];
    if (!/^\d{1,3}$/.test(qtrs(row))) throw problem(row, `a number of quarters, found ${excerpt(qtrs(row))}`);
    return [
      {
        cik: filed.cik,
        accessionNumber: adsh(row),
        taxonomy,
        concept: tag(row),
        unit: uom(row),
        monthEnd: dayOf(ddate(row), row),
        quarters: Number(qtrs(row)),
        value,
        filed: filed.filed,
        observedAt: filed.observedAt,
      },
    ];
  });
}

function dayOf(digits: string, row: CsvRow): string {
  const day = digits.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
  if (!isDay(day)) throw problem(row, `a day, found ${excerpt(digits)}`);
  return day;
}

function cikIn(cik: string, row: CsvRow): string {
  if (!/^\d{1,10}$/.test(cik)) throw problem(row, `a company, found ${excerpt(cik)}`);
  return cik.padStart(10, '0');
}

function accessionIn(accession: string, row: CsvRow): string {
  if (!/^\d{10}-\d{2}-\d{6}$/.test(accession)) throw problem(row, `an accession number, found ${excerpt(accession)}`);
  return accession;
}

/** `2010-05-07 13:14:00.0`; empty if a file does not state it. */
function acceptanceOf(text: string, row: CsvRow): ReturnType<typeof acceptedWithin> | null {
  if (text === '') return null;
  const time = /^(\d{4}-\d{2}-\d{2}) ([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.0)?$/.exec(text);
  if (time === null || !isDay(time[1] ?? '')) throw problem(row, `a time of acceptance, found ${excerpt(text)}`);
  return acceptedWithin(text);
}

const problem = ({ line }: CsvRow, expected: string): UpstreamError => new UpstreamError(ID, `line ${line}: expected ${expected}`);
