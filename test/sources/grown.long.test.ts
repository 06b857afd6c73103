// Payloads that were made to take long: a megabyte of what a reader has to look through again and again unless its work grows with the size alone.
// Each of these took minutes, or would have taken hours.
import { describe, expect, it } from 'vitest';
import { fedStatements } from '../../src/sources/fed/statements.ts';
import { boe } from '../../src/sources/boe/source.ts';
import { oenb } from '../../src/sources/oenb/source.ts';
import { bocDocuments } from '../../src/sources/boc/documents.ts';
import { plainText, tagIn } from '../../src/sources/readers/central-bank-page.ts';
import { parseCsv, parseNumber, readCsv } from '../../src/sources/readers/csv.ts';
import { readHtmlPage } from '../../src/sources/readers/html.ts';
import { readCalendar } from '../../src/sources/readers/icalendar.ts';
import { readOdata } from '../../src/sources/us-treasury/odata.ts';
import { readSdmxCsv } from '../../src/sources/readers/sdmx-csv.ts';
import { readSdmxMl, withoutClock } from '../../src/sources/readers/sdmx-ml.ts';
import { readConstraint } from '../../src/sources/readers/sdmx-structure.ts';
import { riksbankDocuments } from '../../src/sources/riksbank/documents.ts';
import type { Source } from '../../src/sources/source.ts';

const SIZE = 1_000_000;
const LIMIT = { timeout: 20_000 };

const much = (unit: string): string => unit.repeat(Math.ceil(SIZE / unit.length));
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const messageOf = (read: () => unknown): string => {
  try {
    read();
    return 'read';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};
const readBy = (source: Source, key: string, text: string) => (): unknown => [
  ...(source.normalise({ key, body: bytes(text), retrievedAt: '2026-01-05T00:00:00.000Z' }) as Iterable<unknown>),
];

const prefixes = [...Array(60_000).keys()].map((index) => `xmlns:p${index}="u"`).join(' ');

describe('XML', LIMIT, () => {
  const READERS: readonly (readonly [string, string, (text: string) => unknown])[] = [
    ['an OData feed', 'feed', (text) => readOdata('x', bytes(text))],
    ['an SDMX message', 'GenericData', (text) => [...readSdmxMl('x', bytes(text))]],
    ['an SDMX structure', 'Structure', (text) => readConstraint('x', bytes(text))],
    ['a message of the Bank of England', 'Envelope', (text) => readBy(boe, 'central-banks/boe-data.xml', text)()],
    ['a message of the Nationalbank', 'OeNBData', (text) => readBy(oenb, 'oenb/VDBFKBSC217000.xml', text)()],
  ];
  it.each(READERS)('%s with elements that are never closed is refused', (_name, root, read) => {
    expect(messageOf(() => read(`<${root}>${much('<a>')}`))).toMatch(/elements more than 100 deep/);
  });
  it.each(READERS)('%s with elements that are closed late is refused', (_name, root, read) => {
    expect(messageOf(() => read(`<${root} xmlns="u">${much('<a>')}${much('</a>')}</${root}>`))).toMatch(/elements more than 100 deep/);
  });
  it.each(READERS)('%s with namespaces without end is refused', (_name, root, read) => {
    expect(messageOf(() => read(`<${root} ${prefixes}></${root}>`))).toMatch(/declares more than 100 namespaces/);
  });
  it.each(READERS)('%s with a document type is refused', (_name, root, read) => {
    expect(messageOf(() => read(`<!DOCTYPE ${root} [${much(`<!ENTITY a "${'b'.repeat(50)}">`)}]><${root}/>`))).toMatch(
      /declares a document type/,
    );
  });

  it('a constraint with very many codes is read', () => {
    const values = much('<Value>A</Value>');
    const read = readConstraint('x', bytes(`<S><ContentConstraint><KeyValue id="K">${values}</KeyValue></ContentConstraint></S>`));
    expect(read.codes.get('K')).toHaveLength(values.length / '<Value>A</Value>'.length);
  });
  it('a very long instant is refused', () => {
    const message = `<S><ContentConstraint validFrom="${much('T')}"/></S>`;
    expect(messageOf(() => readConstraint('x', bytes(message)))).toMatch(/expected an instant with its offset/);
  });
  it('unclosed headers are kept', () => {
    const message = `<mes:Data>${much('<mes:Header ')}</mes:Data>`;
    expect(withoutClock(bytes(message))).toBe(message);
  });
});

describe('tables', LIMIT, () => {
  it('a header with half a million columns is read', () => {
    const names = [...Array(500_000).keys()].map((index) => `c${index}`).join(',');
    const table = parseCsv(`${names}\n`, { sourceId: 'x', required: ['c499999'] });
    for (const column of table.columns) table.text(column);
    expect(table.columns).toHaveLength(500_000);
  });
  it('a duplicate of the last of many columns is found', () => {
    const names = [...Array(500_000).keys()].map((index) => `c${index}`).join(',');
    expect(messageOf(() => readCsv(bytes(`${names},c499999\n`), { sourceId: 'x', required: [] }))).toMatch(/c499999 stands twice/);
  });
  it('a very long number is a number or none', () => {
    expect([parseNumber(`${much('1')}x`), parseNumber(`0.${much('1')}`), parseNumber(`${much('1')}.${much('1')}x`)]).toEqual([
      null,
      1 / 9,
      null,
    ]);
  });
  it('an SDMX structure with many brackets is refused as another structure', () => {
    const text = `STRUCTURE,STRUCTURE_ID,ACTION,FREQ,TIME_PERIOD,OBS_VALUE\ndataflow,A${much('(')},I,M,2020-01,1\n`;
    expect(messageOf(() => readSdmxCsv(bytes(text), { sourceId: 'x', structure: 'A' }))).toMatch(/expected A on line 2/);
  });
});

describe('pages and texts', LIMIT, () => {
  it('a page with unclosed elements is refused', () => {
    const page = (inside: string) => bytes(`<html lang="en"><body><main>${inside}</main></body></html>`);
    expect(messageOf(() => readHtmlPage('x', page(much('<b>x')), 'main'))).toMatch(/elements more than 500 deep/);
    expect(messageOf(() => readHtmlPage('x', page(much('</i>x')), 'main', 'https://x'))).toBe('read');
  });
  it('many blanks become one', () => {
    expect([plainText(`a${much(' ')}b`), plainText(`A.${much(' ')}\n\tb`), plainText(`A.${much('\n\t')}b`)]).toEqual([
      'a b',
      'A. b',
      'A. b',
    ]);
  });
  it('line breaks of a very long text become blanks', () => {
    expect(plainText(much('a\n'))).toBe(much('a ').trim());
  });
  it('unclosed tags are not found', () => {
    expect([tagIn(much('<a ')), tagIn(`${much('<a ')}<b>`)]).toEqual([null, '<b>']);
  });
  it.each([
    ['BEGIN:VTIMEZONE\r\n', /more than 5 deep/],
    ['BEGIN:VEVENT\r\nEND:VALARM\r\n', /ends VALARM where another part is open/],
    ['BEGIN:VTIMEZONE\r\nTZID:A\r\nEND:VTIMEZONE\r\n', /more than 20 time zones/],
    ['BEGIN:VEVENT\r\nUID:A\r\nSUMMARY:B\r\nDTSTART;VALUE=DATE:20260105\r\nEND:VEVENT\r\n', /^read$/],
    [' folded\r\n', /./],
    ['X-WR: a\r\n', /./],
  ])('a very long calendar with %j is read or refused', (unit, said) => {
    const calendar = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:A\r\n${much(unit)}END:VCALENDAR\r\n`;
    expect(messageOf(() => readCalendar('x', bytes(calendar)))).toMatch(said);
  });
  it.each([
    ['votes', much('Voting (')],
    ['meetings', much('the next meeting of the Committee would be held on ')],
    ['tags', much('<a ')],
    ['blank lines', `Voting for ${much('\n ')}x`],
  ])('a very long statement of the Federal Reserve with %s is read or refused', (_name, text) => {
    expect(messageOf(readBy(fedStatements, 'central-bank-text/fed/statements_1994_2016_txt/20050202.txt', text))).not.toBe('');
  });
  it('very long announcements of the Bank of Canada are read', () => {
    const text = much('The next scheduled date for announcing the overnight rate target is ');
    const table = `Date,Release Date,Type,Text\n2020-01-22,2020-01-22,statement,${text}\n`;
    expect(messageOf(readBy(bocDocuments, 'central-bank-text/communications_boc.csv', table))).toBe('read');
  });
  it.each([
    ['links', 'central-bank-text/riksbank/minutes/html/index.html', much('<a ')],
    ['addresses', 'central-bank-text/riksbank/minutes/html/index.html', `<a ${much('href="a')}`],
    ['blank lines', 'central-bank-text/communications_riksbank.csv', `Date,Release Date,Type,Text\n2020-01-22,,minutes,"${much('\n')}x"\n`],
    [
      'telephones',
      'central-bank-text/communications_riksbank.csv',
      `Date,Release Date,Type,Text\n2020-01-22,,minutes,${much('Telephone: +46')}\n`,
    ],
  ])('very long %s of the Riksbank are refused', (_name, key, text) => {
    expect(messageOf(readBy(riksbankDocuments, key, text))).toMatch(/^riksbank_documents: /);
  });
});
