import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UpstreamError } from '../../src/sources/upstream-error.ts';
import { csvPieces, parseCsv, parseNumber, readCsv, streamCsv, type CsvOptions, type CsvTable } from '../../src/sources/readers/csv.ts';
import { parseJson, readJson } from '../../src/sources/readers/json.ts';
import { z } from 'zod';

const options: CsvOptions = { sourceId: 'test', required: ['day', 'value'] };
const bytes = (text: string) => new TextEncoder().encode(text);

function valuesOf(text: string, changes: Partial<CsvOptions> = {}): [string, number | null][] {
  const table = readCsv(bytes(text), { ...options, ...changes });
  const day = table.text('day');
  const value = table.number('value');
  return table.rows.map((row) => [day(row), value(row)]);
}

function* lazily<Item>(make: () => Item): Generator<Item> {
  yield make();
}

describe('a large CSV file in pieces', () => {
  const rowsOf = (tables: Iterable<CsvTable>) => {
    try {
      return [...tables].flatMap((table) => {
        const [day, value] = [table.text('day'), table.number('value')];
        return table.rows.map((row) => [day(row), value(row), row.line]);
      });
    } catch (error) {
      return (error as Error).message;
    }
  };
  const cell = fc.constantFrom('1', '-2.5', '.', 'ä', '€', '"a,b"', '""""', '<', '1,1');
  const line = fc.tuple(cell, cell).map((cells) => cells.join(','));
  const text = fc.tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'), fc.boolean());

  it('has the rows and the faults of the whole, wherever it is cut', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), ([lines, end, isEnded], size) => {
        const body = bytes(`day,value${end}${lines.join(end)}${isEnded ? end : ''}`);
        const whole = rowsOf(lazily(() => readCsv(body, options)));
        const pieces = rowsOf(csvPieces(body, options, size));
        // A piece counts the lines of a malformed record from its own start.
        expect(typeof whole === 'string' && typeof pieces === 'string' ? whole : pieces).toEqual(whole);
      }),
    );
  });

  it('refuses a cell with a line end if the file is cut there', () => {
    const body = bytes('day,value\n"a\nb",1\n');
    expect(rowsOf(csvPieces(body, options))).toEqual([['a\nb', 1, 3]]);
    expect(rowsOf(csvPieces(body, options, 1))).toContain('Quote Not Closed');
  });

  it('refuses a wrong header, a page of HTML, an undecodable byte and an empty file', () => {
    const refusal = (body: Uint8Array) => rowsOf(csvPieces(body, options, 10));
    expect(refusal(bytes('day,other\n1,2\n'))).toContain('expected the columns value');
    expect(refusal(bytes('<html>\n</html>\n'))).toContain('a page of HTML');
    expect(refusal(Uint8Array.of(...bytes('day,value\n1,2\n3,4\n'), 0xff, 0x0a))).toContain('not valid utf-8');
    expect(refusal(new Uint8Array())).toContain('empty');
  });
});

describe('a CSV file', () => {
  it('reads the same with a byte-order mark, CRLF, mixed line ends and blank lines', () => {
    const expected = [
      ['a', 1],
      ['b', 2.5],
    ];
    expect(valuesOf('day,value\na,1\nb,2.5\n')).toEqual(expected);
    expect(valuesOf('\uFEFFday,value\r\na,1\r\nb,2.5\r\n')).toEqual(expected);
    expect(valuesOf('day,value\r\na,1\nb,2.5\r\n\r\n\n')).toEqual(expected);
    expect(valuesOf('day,value\na,1\nb,2.5\n,\n,\n')).toEqual(expected);
  });

  it('finds columns by name, in any order, among further columns and a trailing comma', () => {
    expect(valuesOf('value,other,day,\n1,x,a,\n')).toEqual([['a', 1]]);
  });

  it('reads quoted cells with delimiters, quotes and line ends in them', () => {
    expect(valuesOf('day,value\n"a, ""b""\nc",1\n')).toEqual([['a, "b"\nc', 1]]);
  });

  it('reads decimal commas, thousands and another delimiter if the layout has them', () => {
    expect(valuesOf('day;value\na;1,5\n', { delimiter: ';', decimal: ',' })).toEqual([['a', 1.5]]);
    expect(valuesOf('day;value\na;1.234,5\n', { delimiter: ';', decimal: ',', thousands: '.' })).toEqual([['a', 1234.5]]);
    expect(() => valuesOf('day;value\na;1.5\n', { delimiter: ';', decimal: ',' })).toThrow('expected a number in value on line 2');
  });

  it('keeps blanks around cells if they belong to the layout', () => {
    expect(valuesOf('day, value, \na, 1, \n', { trim: true })).toEqual([['a', 1]]);
  });

  it('reads missing markers as null and never as 0', () => {
    expect(valuesOf('day,value\na,.\nb,-\nc,N/A\nd,\ne,0\n').map(([, value]) => value)).toEqual([null, null, null, null, 0]);
    expect(valuesOf('day,value\na,(NA)\n', { missing: ['(NA)'] })).toEqual([['a', null]]);
    expect(() => valuesOf('day,value\na,.\n', { missing: ['(NA)'] })).toThrow(UpstreamError);
  });

  it('uses the given names for a file without a header', () => {
    expect(valuesOf('a,1\n', { header: ['day', 'value'] })).toEqual([['a', 1]]);
    expect(() => valuesOf('a,1,2\n', { header: ['day', 'value'] })).toThrow('expected 2 columns, found 3 on line 1');
  });

  it.each([
    ['nothing', '', 'is empty'],
    ['blanks', '\n\n', 'only blanks'],
    ['a page of HTML', '<!DOCTYPE html>\n<html></html>\n', 'a page of HTML or XML'],
    ['a last line without an end', 'day,value\na,1\nb,2', 'the file is truncated'],
    ['a row with fewer cells', 'day,value\na\n', 'expect 2, got 1 on line 2'],
    ['a row with more cells', 'day,value\na,1,2\n', 'expect 2, got 3 on line 2'],
    ['an open quote', 'day,value\n"a,1\n', 'malformed'],
    ['a quote inside a cell', 'day,value\na"b",1\n', 'malformed'],
    ['another header', 'date,value\na,1\n', 'expected the columns day, found "date, value"'],
    ['a column named twice', 'day,value,value\na,1,2\n', 'value stands twice'],
    ['a value under no name', 'day,value,\na,1,2\n', 'line 2 has a value, "2", in a column without a name'],
    ['a word for a number', 'day,value\na,one\n', 'expected a number in value on line 2, found "one"'],
  ])('with %s is refused with the fault named', (_, text, message) => {
    expect(() => valuesOf(text)).toThrow(UpstreamError);
    expect(() => valuesOf(text)).toThrow(message);
  });

  it('in another encoding is refused unless the layout names the encoding', () => {
    const body = Uint8Array.from([...bytes('day,value\nK'), 0xf6, ...bytes('ln,1\n')]);
    expect(() => readCsv(body, options)).toThrow('not valid utf-8');
    expect(parseCsv(new TextDecoder('windows-1252').decode(body), options).rows[0]?.cells).toEqual(['Köln', '1']);
    expect(readCsv(body, { ...options, encoding: 'windows-1252' }).rows[0]?.cells).toEqual(['Köln', '1']);
  });
});

describe('a number', () => {
  it('is a finite decimal number and nothing else', () => {
    expect(['1', '-1.50', '+.5', '1.', '1e3', '1.9e-2', '0.79935483870967741935'].map((text) => parseNumber(text))).toEqual([
      1,
      -1.5,
      0.5,
      1,
      1000,
      0.019,
      Number('0.79935483870967741935'),
    ]);
    expect(['', ' ', '0x1F', 'Infinity', '1e999', '1 2', '1,5', '--1', '.', 'NaN'].map((text) => parseNumber(text))).toEqual(
      Array.from({ length: 10 }, () => null),
    );
  });
});

describe('a JSON file', () => {
  it.each([
    ['a truncated body', '{"a": [1, 2', 'truncated'],
    ['a page of HTML', '<html></html>', 'a page of HTML or XML'],
    ['nothing', '', 'is empty'],
  ])('with %s is refused', (_, text, message) => {
    expect(() => parseJson('test', bytes(text))).toThrow(message);
  });

  it('of another layout is refused with the place named', () => {
    const schema = z.looseObject({ a: z.array(z.number()) });
    expect(readJson('test', bytes('{"a": [1], "b": 2}'), schema).a).toEqual([1]);
    expect(() => readJson('test', bytes('{"a": [1, "x"]}'), schema)).toThrow('at a.1');
  });
});

describe('a CSV file read in pieces', () => {
  async function* cut(body: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
  }
  const read = async (body: Uint8Array | string, size = 3, changes: Partial<CsvOptions> = {}) => {
    const rows: (readonly [string, number | null, number])[][] = [];
    for await (const table of streamCsv(cut(typeof body === 'string' ? bytes(body) : body, size), { ...options, ...changes })) {
      const [day, value] = [table.text('day'), table.number('value')];
      rows.push(table.rows.map((row) => [day(row), value(row), row.line]));
    }
    return rows;
  };
  const TEXT = 'value,day\r\n1.5,"ä €\r\n,b"\n';

  it('is the same wherever it is cut, even inside a character; a quotation mark is a character', async () => {
    for (const size of [1, 2, 3, 5, 7, 1000])
      expect(await read(TEXT, size)).toEqual([
        [
          ['"ä €', 1.5, 2],
          ['b"', null, 3],
        ],
      ]);
  });

  it('comes in tables of the given size, with the line numbers of the file', async () => {
    const tables = await read(`day,value\n${'a,1\n'.repeat(12_000)}`, 65_536);
    expect(tables.map((rows) => rows.length)).toEqual([5000, 5000, 2000]);
    expect(tables[2]?.at(-1)).toEqual(['a', 1, 12_001]);
  });

  it('with only headings is one table without rows', async () => {
    expect(await read('day,value\n')).toEqual([[]]);
  });

  it.each([
    ['of another number of cells', 'day,value\na,1\nb\n', /^test: the CSV is malformed: .*line 3/],
    ['cut in a line', 'day,value\na,1\nb,2', /^test: the last line is not ended, the file is truncated/],
    ['without a column', 'day\na\n', /^test: expected the columns value, found "day"/],
    ['of nothing', '', /^test: expected the columns day, value, found an empty file/],
    ['that is no UTF-8', new Uint8Array([...bytes('day,value\n'), 0xff, 0x2c, 0x31, 0x0a]), /^test: the text is not UTF-8/],
    ['that ends within a character', new Uint8Array([...bytes('day,value\na,1\n'), 0xe2, 0x82]), /^test: the text is not UTF-8/],
  ])('is refused: %s', async (_, body, message) => {
    const error = await read(body).then(
      () => null,
      (problem: unknown) => problem,
    );
    expect(error).toBeInstanceOf(UpstreamError);
    expect(error instanceof Error ? error.message : '').toMatch(message);
  });
});
