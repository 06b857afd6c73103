// What the views of /explore compute by themselves: numbers, weeks, positions, the text of filters, tables of statements.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Fields, formatFilter, MODIFIERS, OPERATORS, parseFilter } from '../../src/model/screener-dsl.ts';

type Module = Readonly<Record<string, (...args: readonly never[]) => unknown>>;
const load = async (name: string): Promise<Module> =>
  (await import(pathToFileURL(join(import.meta.dirname, '../../src/pages/static', name)).href)) as Module;
const call = (module: Module, name: string, ...args: readonly unknown[]) => {
  const found = module[name];
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found(...(args as readonly never[]));
};

describe('numbers', async () => {
  const numbers = await load('numbers.js');
  const textOf = (value: number) => call(numbers, 'numberText', value);

  it('are as published if they are short, and rounded if they are long', () => {
    const shown = [
      4.25, 256.974, 151_626, 117_000_000, 0, -0.3, 13.7243902439, 29_194.239, 0.012345678, -24.248532289628177, 3_785_304_395_660,
      100.1819,
    ];
    expect(shown.map(textOf)).toEqual([
      '4.25',
      '257',
      '151,626',
      '117,000,000',
      '0',
      '-0.3',
      '13.7',
      '29,194',
      '0.0123',
      '-24.2',
      '3.79T',
      '100.2',
    ]);
  });

  it('are never further than 0.5 % from the exact number, whatever it is', () => {
    const size = { T: 1e12, B: 1e9 } as Readonly<Record<string, number>>;
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e14, max: 1e14 }), (value) => {
        const text = String(textOf(value)).replaceAll(',', '');
        const read = Number.parseFloat(text) * (size[text.at(-1) ?? ''] ?? 1);
        expect(Math.abs(read - value)).toBeLessThanOrEqual(Math.abs(value) * 0.00501);
      }),
    );
  });

  it('are as published by publishers, and rounded if they have the digits of a computation', () => {
    const shown = [133_589, 22_068.767, 1234.56789, 0.0123, -8.19238957783, 102.338571428571, 27_360_935_000_000, 0.000123456789012];
    expect(shown.map((value) => call(numbers, 'publishedText', value))).toEqual([
      '133,589',
      '22,068.767',
      '1,234.56789',
      '0.0123',
      '-8.19',
      '102.3',
      '27,360,935,000,000',
      '0.000123',
    ]);
  });

  it('side by side have the decimals of the longest, and more if two different ones would look the same', () => {
    const beside = (...values: readonly unknown[]) => {
      const texts = call(numbers, 'textsBeside', values) as ReadonlyMap<unknown, string>;
      return values.map((value) => texts.get(value));
    };
    expect(beside(99.9804, 100.1819)).toEqual(['99.9804', '100.1819']);
    expect(beside(134.9, 135)).toEqual(['134.9', '135.0']);
    expect(beside(2.4088, 1.790812345)).toEqual(['2.4088', '1.7908']);
    expect(beside(134.98312345, 134.98754321)).toEqual(['134.98', '134.99']);
    expect(beside(151_626, 151_625, null, -1)).toEqual(['151,626', '151,625', undefined, '-1']);
    expect(beside(3_785_304_395_660, 3_785_304_395_661)).toEqual(['3,785,304,395,660', '3,785,304,395,661']);
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 8 }), (values) => {
        const different = new Set(values.map((value) => value + 0));
        expect(new Set(beside(...different)).size).toBe(different.size);
      }),
    );
    fc.assert(
      fc.property(fc.double({ min: 1, max: 1000, noNaN: true }), fc.double({ min: 1e-9, max: 1, noNaN: true }), (value, by) => {
        fc.pre(value + by !== value);
        expect(new Set(beside(value, value + by)).size).toBe(2);
      }),
    );
  });

  it('of a column have one number of decimals, by the size of most of them', () => {
    const column = (...values: readonly (number | null)[]) => {
      const textIn = call(numbers, 'textOfColumn', values) as (value: number) => string;
      return values.map((value) => (value === null ? null : textIn(value)));
    };
    expect(column(0.674004, 0.32, -0.0412345, null)).toEqual(['0.67', '0.32', '-0.04', null]);
    expect(column(2.4088, 1.790812345, 12.5, 0)).toEqual(['2.41', '1.79', '12.50', '0.00']);
    expect(column(386.962, -40.723, 1204.25)).toEqual(['387.0', '-40.7', '1,204.3']);
    expect(column(151_626, 151_625, -1)).toEqual(['151,626', '151,625', '-1']);
    expect(column(3.9, 4, 0.1)).toEqual(['3.9', '4.0', '0.1']);
    expect(column(-0.00038, 12.345, 0)).toEqual(['-0.0004', '12.35', '0.00']);
    expect(column(0.1 + 0.2 - 0.3, 12.345)).toEqual(['0.00', '12.35']);
    expect(column(3_785_304_395_660, 2_000_000_000, 871_000_000)).toEqual(['3.79T', '2B', '871M']);
    expect(column(2_000_000_000, 871_000_000, 12_000_000)).toEqual(['2B', '871,000,000', '12,000,000']);
    expect(column(null)).toEqual([null]);
  });

  it('of a row have more decimals if two would look the same, and only zero reads as zero', () => {
    const row = (decimals: number, ...values: readonly number[]) => [
      ...(call(numbers, 'textsApart', values, decimals) as Map<number, string>).values(),
    ];
    // What is subtracted can be subtracted by hand.
    expect(row(2, 1.73, 2.4088, 0.6788)).toEqual(['1.73', '2.41', '0.68']);
    expect(row(1, 29_153.516, 29_120.6961, 32.8199)).toEqual(['29,153.5', '29,120.7', '32.8']);
    expect(row(1, 134.9831, 134.9875, 0.0044)).toEqual(['134.983', '134.988', '0.004']);
    expect(row(1, 2, 2, 0)).toEqual(['2.0', '0.0']);
    const decimals = (...values: readonly (number | null)[]) => call(numbers, 'decimalsOfRow', values, 2);
    expect([decimals(161_691, -1003), decimals(386.9, 0.2), decimals(2.41, null), decimals(null)]).toEqual([0, 1, 2, 2]);
  });

  it('of percentages differ by percentage points, and others by their own unit', () => {
    expect(['percent', '%', 'percentage points', 'thousands'].map((unit) => call(numbers, 'differenceUnit', unit))).toEqual([
      'percentage points',
      'percentage points',
      'percentage points',
      'thousands',
    ]);
  });

  it('are shown whole where asked', () => {
    expect([13.7243902439, 3_785_304_395_660].map((value) => call(numbers, 'exactText', value))).toEqual([
      '13.7243902439',
      '3,785,304,395,660',
    ]);
  });

  it('mark an axis so that no two marks read alike', () => {
    const marks = (...values: readonly number[]) => call(numbers, 'markTexts', values);
    expect(marks(0.1, 0.2, 0.30000000000000004)).toEqual(['0.1', '0.2', '0.3']);
    expect(marks(256.75, 257, 257.25)).toEqual(['256.75', '257.00', '257.25']);
    expect(marks(0, 1e9, 2e9)).toEqual(['0', '1B', '2B']);
    expect(marks(3.7e12, 3.75e12)).toEqual(['3.70T', '3.75T']);
    expect(marks(145_000, 150_000)).toEqual(['145,000', '150,000']);
    expect(marks()).toEqual([]);
  });

  it('of things have a singular for one', () => {
    const counts = [0, 1, 2, 12_345].map((count) => call(numbers, 'counted', count, 'indicator'));
    expect(counts).toEqual(['0 indicators', '1 indicator', '2 indicators', '12,345 indicators']);
    expect([1, 2].map((count) => call(numbers, 'counted', count, 'entity', 'entities'))).toEqual(['1 entity', '2 entities']);
  });

  it('have units in words', () => {
    expect(['usd_billions_chained', 'percent', 'cad_per_usd'].map((unit) => call(numbers, 'unitText', unit))).toEqual([
      'USD billions chained',
      'percent',
      'CAD per USD',
    ]);
  });
});

describe('weeks', async () => {
  const weeks = await load('calendar/weeks.js');
  const day = fc
    .date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));

  it('begin on Monday, at most six days before the day itself', () => {
    expect(['2026-11-22', '2026-11-23', '2026-11-29', '1969-12-31'].map((one) => call(weeks, 'mondayOf', one))).toEqual([
      '2026-11-16',
      '2026-11-23',
      '2026-11-23',
      '1969-12-29',
    ]);
    fc.assert(
      fc.property(day, (one) => {
        const monday = String(call(weeks, 'mondayOf', one));
        expect(new Date(monday).getUTCDay()).toBe(1);
        expect([monday <= one, String(call(weeks, 'daysAfter', monday, 6)) >= one]).toEqual([true, true]);
        expect(call(weeks, 'mondayOf', call(weeks, 'daysAfter', monday, 7))).toBe(call(weeks, 'daysAfter', monday, 7));
      }),
    );
  });

  it('accept only days that exist', () => {
    const found = ['2026-02-28', '2024-02-29', '2026-02-29', '2026-2-1', '', undefined].map((one) => call(weeks, 'isDay', one));
    expect(found).toEqual([true, true, false, false, false, false]);
  });
});

describe('positions', async () => {
  const positions = await load('cot/positions.js');
  const { REPORTS } = positions as unknown as { REPORTS: readonly { id: string; percentile: string; source: string }[] };
  const legacy = REPORTS.find(({ id }) => id === 'legacy');
  const read = (...rows: readonly string[]) =>
    call(positions, 'readWeeks', ['indicator_id,period_end,actual', ...rows].join('\n'), 'cftc_1', legacy);
  const pair = (week: string, long: number | '', short: number | '') => [
    `cftc_1_cot_noncommercial_long,${week},${long}`,
    `cftc_1_cot_noncommercial_short,${week},${short}`,
  ];

  it('accept only reports, classes and percentiles of the service', () => {
    const csv = readFileSync(join(import.meta.dirname, '../../data/reference/canonical_indicators.csv'), 'utf8');
    const known = new Set(csv.split('\n').map((line) => line.split(',')[0]));
    for (const report of REPORTS as readonly { prefix: string; percentile: string; classes: readonly { id: string }[] }[] &
      typeof REPORTS) {
      expect(known.has(report.percentile)).toBe(true);
      const { prefix, classes } = report as unknown as { prefix: string; classes: readonly { id: string }[] };
      for (const { id } of classes)
        expect([id, known.has(`${prefix}${id}_long`), known.has(`${prefix}${id}_short`)]).toEqual([id, true, true]);
    }
  });

  it('are in the order of weeks, for one contract and report', () => {
    expect(
      read(
        ...pair('2026-01-13', 5, 3),
        'cftc_1_open_interest,2026-01-13,9',
        'cftc_12_cot_commercial_long,2026-01-13,9',
        ...pair('2026-01-06', 4, ''),
      ),
    ).toEqual([
      { week: '2026-01-06', values: { noncommercial_long: 4, noncommercial_short: null } },
      { week: '2026-01-13', values: { noncommercial_long: 5, noncommercial_short: 3 } },
    ]);
  });

  it('are net as long less short, null if one is missing, never zero', () => {
    const net = (values: object) => call(positions, 'netOf', values, 'a');
    expect([net({ a_long: 5, a_short: 8 }), net({ a_long: 5 }), net({ a_long: 5, a_short: null }), net({})]).toEqual([
      -3,
      null,
      null,
      null,
    ]);
  });

  it('have the change since the previous week, not since an earlier one', () => {
    const changeOf = (...rows: readonly string[]) =>
      (call(positions, 'newestWeek', read(...rows), legacy) as readonly { change: number | null }[])[0]?.change;
    expect(changeOf(...pair('2026-01-06', 4, 1), ...pair('2026-01-13', 5, 3))).toBe(-1);
    expect(changeOf(...pair('2025-12-30', 4, 1), ...pair('2026-01-13', 5, 3))).toBe(null);
    // Reports of holiday weeks are of a Monday or a Wednesday.
    expect(changeOf(...pair('2025-12-29', 4, 1), ...pair('2026-01-06', 5, 3))).toBe(-1);
    expect(changeOf(...pair('2026-01-13', 5, 3))).toBe(null);
    expect(call(positions, 'newestWeek', [], legacy)).toEqual([]);
  });
});

describe('the text of a filter', async () => {
  const text = await load('screener/text.js');
  const parse = (filter: string) => call(text, 'parseClauses', filter) as { clauses?: unknown[]; problem?: string };
  const print = (clauses: unknown) => call(text, 'printClauses', clauses);
  const FIELDS: Fields = new Map([
    ['cpi', 'number'],
    ['sector', 'string'],
  ]);
  const literal = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom('a', ' ', ';', '|', ',', ':', '\\', '.', 'é', '@') });
  const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }).map((value) => Number(value.toPrecision(6)));
  const modifier = fc.constantFrom(null, ...MODIFIERS);
  const operandOf = (operator: string) =>
    operator === 'is'
      ? fc.boolean().map((isNull) => ({ kind: 'presence' as const, isNull }))
      : operator === 'between'
        ? fc.tuple(number, number).map(([a, b]) => ({ kind: 'range' as const, from: Math.min(a, b), to: Math.max(a, b) }))
        : operator === 'in' || operator === 'nin'
          ? fc.array(number, { minLength: 1, maxLength: 3 }).map((values) => ({ kind: 'many' as const, values }))
          : number.map((value) => ({ kind: 'one' as const, value }));
  const onNumber = fc
    .tuple(fc.constantFrom(...OPERATORS), modifier)
    .chain(([operator, mod]) => operandOf(operator).map((given) => ({ field: 'cpi', modifier: mod, operator, operand: given })));
  const onText = fc.oneof(
    fc
      .tuple(fc.constantFrom('eq' as const, 'neq' as const), literal)
      .map(([operator, value]) => ({ field: 'sector', modifier: null, operator, operand: { kind: 'one' as const, value } })),
    fc
      .tuple(fc.constantFrom('in' as const, 'nin' as const), fc.array(literal, { minLength: 1, maxLength: 3 }))
      .map(([operator, values]) => ({ field: 'sector', modifier: null, operator, operand: { kind: 'many' as const, values } })),
  );
  const filters = fc.array(fc.array(fc.oneof(onNumber, onText), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });

  it('is read and written back as the same filter for the service', () => {
    fc.assert(
      fc.property(filters, (clauses) => {
        const given = formatFilter(clauses);
        const { clauses: built, problem } = parse(given);
        expect(problem).toBeUndefined();
        expect(parseFilter(String(print(built)), FIELDS)).toEqual(parseFilter(given, FIELDS));
        expect(parse(String(print(built)))).toEqual({ clauses: built });
      }),
    );
  });

  it('keeps one value per field, whatever is typed into it', () => {
    fc.assert(
      fc.property(literal, (value) => {
        const written = String(print([[{ field: 'sector', modifier: '', operator: 'eq', operand: value }]]));
        expect(parseFilter(written, FIELDS)).toEqual([
          [{ field: 'sector', modifier: null, operator: 'eq', operand: { kind: 'one', value } }],
        ]);
      }),
    );
  });

  it('has the operators and modifiers of the service, and no others', () => {
    const { OPERATORS: offered, MODIFIERS: named } = text as unknown as { OPERATORS: readonly { id: string }[]; MODIFIERS: object };
    expect(offered.map(({ id }) => id).toSorted()).toEqual([...OPERATORS].toSorted());
    expect(Object.keys(named).toSorted()).toEqual([...MODIFIERS].toSorted());
  });

  it('omits terms that are not filled in yet', () => {
    const term = (more: object) => ({ field: 'cpi', modifier: '', operator: 'gt', operand: '1', ...more });
    expect(print([[term({}), term({ operand: '' })], [term({ field: '' })]])).toBe('cpi:gt:1');
    expect(print([[term({ operator: 'between', operand: '1..' })], [term({ operator: 'between', operand: '..2' })]])).toBe('');
    expect(print([[term({ operator: 'between', operand: '.5..2' })]])).toBe('cpi:between:.5..2');
    expect(print([])).toBe('');
    expect(parse('  ')).toEqual({ clauses: [] });
  });

  it.each([
    ['cpi', 'is not field:operator:value'],
    ['cpi:gt:1;', 'is not field:operator:value'],
    ['cpi:gt:1:2', 'is not field:operator:value'],
    ['cpi@yoy@prev:gt:1', 'unknown field'],
    ['cpi@why:gt:1', 'unknown modifier @why'],
    ['cpi@:gt:1', 'unknown modifier @'],
    ['cpi:above:1', 'unknown operator'],
    ['cpi:is:nothing', 'takes null or notnull'],
    ['cpi:between:1,3', 'takes a..b'],
    ['cpi:gt:1,2', 'takes one value'],
    ['cpi:gt:\\1', 'a \\ that escapes nothing'],
    ['cpi:gt:1\\', 'a \\ that escapes nothing'],
  ])('that the builder cannot show is reported: %s', (given, problem) => {
    expect(parse(given).problem).toContain(problem);
    expect(() => parseFilter(given, FIELDS)).toThrow(/./);
  });

  it('suggests, for an unknown name, the fields that share most words with it', () => {
    const fields = [
      'Consumer Price Inflation, Month on Month',
      'Consumer Price Inflation, Year on Year',
      'Consumer Confidence',
      'Capacity Utilization: Manufacturing (SIC)',
      'Unemployment Rate',
    ].map((label) => ({ field: label, label }));
    const near = (name: string) => (call(text, 'nearestFields', name, fields) as readonly { label: string }[]).map(({ label }) => label);
    expect(near('Inflation, consumer prices (annual %)')[0]).toBe('Consumer Price Inflation, Year on Year');
    expect(near('capacity utilisation, manufacturing')).toEqual(['Capacity Utilization: Manufacturing (SIC)']);
    expect([near('Wheat'), near('')]).toEqual([[], []]);
  });

  it('has the field with exactly this name, commas, colons and brackets included', () => {
    const fields = [
      { field: 'cpi_inflation_yoy', label: 'Consumer Price Inflation, Year on Year' },
      { field: 'capacity', label: 'Capacity Utilization: Manufacturing (SIC)' },
    ];
    const called = (name: string) => call(text, 'fieldCalled', name, fields);
    expect(called('consumer price inflation, year on year ')).toBe('cpi_inflation_yoy');
    expect(called('Capacity Utilization: Manufacturing (SIC)')).toBe('capacity');
  });

  it('keeps the part of an operand that another operator can use', () => {
    const moved = (operator: string, operand: string) => call(text, 'operandFor', operator, operand);
    expect([moved('between', '3'), moved('gt', '1..2'), moved('is', '3'), moved('is', 'null'), moved('lt', 'notnull')]).toEqual([
      '3..',
      '1',
      'notnull',
      'null',
      '',
    ]);
  });

  it('of each example in the guide can be built, with the same meaning', () => {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/use/guides/screener.md'), 'utf8');
    const examples = [...guide.matchAll(/`([a-z_@0-9]+:[a-z]+:[^`]+)`/g)]
      .map(([, one = '']) => one)
      .filter((one) => !/:(?:asc|desc)$/.test(one));
    // The short ones leave their field out.
    const short = [...guide.matchAll(/`((?:between|in|is):[^`]+)`/g)].map(([, one = '']) => `sector:${one}`);
    expect([examples.length > 0, short.length]).toEqual([true, 5]);
    for (const example of [...examples, ...short].filter((one) => !one.startsWith('field')))
      expect(print(parse(example).clauses)).toBe(example);
  });
});

describe('statements as a table', async () => {
  const statements = await load('company/statements.js');
  const line = (key: string, value: number) => ({ key, label: key, unit: 'USD', value });
  const statement = (statementId: string, fiscalYear: number, lines: readonly object[], more: object = {}) => ({
    statementId,
    fiscalYear,
    fiscalPeriod: 'FY',
    periodEnd: `${fiscalYear}-12-31`,
    observedAt: `${fiscalYear + 1}-02-01T00:00:00.000Z`,
    lines,
    ...more,
  });

  it('have a column for each filing, newest first, and each line in the order of the newest', () => {
    const { columns, lines } = call(statements, 'tableOf', [
      statement('a', 2023, [line('revenue', 1), line('old', 2), line('net', 3)]),
      statement('b', 2024, [line('revenue', 4), line('gross', 5), line('net', 6)]),
      statement('c', 2023, [line('revenue', 7)], { observedAt: '2025-02-01T00:00:00.000Z' }),
    ]) as {
      columns: readonly { id: string; label: string }[];
      lines: readonly { key: string; cells: Record<string, { value: number }> }[];
    };
    expect(columns.map(({ id, label }) => [id, label])).toEqual([
      ['b', 'FY 2024'],
      ['c', 'FY 2023'],
      ['a', 'FY 2023'],
    ]);
    expect(lines.map(({ key, cells }) => [key, ...['b', 'c', 'a'].map((id) => cells[id]?.value ?? null)])).toEqual([
      ['revenue', 4, 7, 1],
      ['old', null, null, 2],
      ['gross', 5, null, null],
      ['net', 6, null, 3],
    ]);
  });

  it('find splits by the days on which the ratio of the closes changes', () => {
    const close = (periodEnd: string, splitRatio: number) => ({ periodEnd: `${periodEnd}T00:00:00.000Z`, metadata: { splitRatio } });
    const found = call(statements, 'splitsOf', [
      close('2024-06-10', 1),
      close('2021-07-19', 40),
      close('2021-07-20', 10),
      close('2024-06-07', 10),
    ]);
    expect(found).toEqual([
      { day: '2021-07-20', ratio: 4 },
      { day: '2024-06-10', ratio: 10 },
    ]);
    expect(call(statements, 'splitsOf', [close('2024-06-10', 7)])).toEqual([]);
  });

  it.each([
    ['2026-11-23', ['2026-03-31', '2026-06-30', '2026-09-30']],
    ['2026-01-01', ['2025-06-30', '2025-09-30', '2025-12-31']],
    ['2024-03-31', ['2023-06-30', '2023-09-30', '2023-12-31']],
  ])('request the finished quarters: %s', (day, ends) => {
    expect(call(statements, 'quarterEnds', day, 3)).toEqual(ends);
  });
});

describe('the order of a table', async () => {
  const sorting = await load('tables/sorting.js');
  const columns = [
    { id: 'name', value: (row: { name: string }) => row.name },
    { id: 'size', value: (row: { size: number | null }) => row.size, isNumber: true },
  ];
  const rows = [
    { name: 'b10', size: null },
    { name: 'b9', size: 2 },
    { name: 'a', size: -3 },
    { name: 'c', size: 2 },
  ];
  const names = (sort: string) => (call(sorting, 'sortedRows', rows, columns, sort) as typeof rows).map(({ name }) => name);

  it('is that of the chosen column; rows without a value stay last, equal ones keep their order', () => {
    expect(names('')).toEqual(['b10', 'b9', 'a', 'c']);
    expect(names('nothing')).toEqual(['b10', 'b9', 'a', 'c']);
    expect(names('size')).toEqual(['a', 'b9', 'c', 'b10']);
    expect(names('-size')).toEqual(['b9', 'c', 'a', 'b10']);
    expect(names('name')).toEqual(['a', 'b9', 'b10', 'c']);
    expect(names('-name')).toEqual(['c', 'b10', 'b9', 'a']);
  });

  it('turns with each press: numbers start with the largest, texts with the first; the third press returns to the given order', () => {
    const presses = (column: unknown) => {
      const seen: unknown[] = [''];
      for (let press = 0; press < 3; press += 1) seen.push(call(sorting, 'nextSort', seen.at(-1), column));
      return seen.slice(1);
    };
    expect(presses(columns[0])).toEqual(['name', '-name', '']);
    expect(presses(columns[1])).toEqual(['-size', 'size', '']);
    expect(call(sorting, 'nextSort', '-name', columns[1])).toBe('-size');
  });
});

describe('the fields of ready screens', async () => {
  const then = await load('screener/then.js');

  it.each([
    ['cot_disaggregated_percentile', true],
    ['cpi_inflation_yoy', true],
    ['cot_disaggregated', false],
    ['nonsense', false],
  ])('%s is one of them: %s', (field, isOne) => {
    expect(call(then, 'isOfReadyScreen', field)).toBe(isOne);
  });
});

describe('the overview of positions', async () => {
  it('of stale reports keeps those of the five weeks up to the newest', () => {
    const rows = ['2024-06-11', '2026-07-14', '2026-07-13', '2026-08-18'].map((week) => ({ week }));
    expect(call(positions, 'recentOf', rows)).toEqual([{ week: '2026-07-14' }, { week: '2026-08-18' }]);
  });

  const positions = await load('cot/positions.js');
  const [legacy] = (positions as unknown as { REPORTS: readonly { percentile: string }[] }).REPORTS;
  const row = (entityId: string, percentile: number, more: Readonly<Record<string, number>> = {}) => ({
    entityId,
    name: entityId,
    values: Object.fromEntries(
      Object.entries({ cot_positioning_percentile: percentile, ...more }).map(([field, value]) => [
        field,
        { value, periodEnd: '2026-11-24', observationId: `obs_${entityId}`, freshnessStatus: 'fresh' },
      ]),
    ),
  });

  it('of all reports takes managed money, then leveraged funds, then non-commercial traders, and is crowded from 90 and up to 10', () => {
    const of = (id: string, values: Readonly<Record<string, number | null>>) => ({
      ...row(id, 50),
      values: Object.fromEntries(
        Object.entries(values).map(([field, value]) => [
          field,
          { value, periodEnd: value === null ? null : '2026-11-24', observationId: `obs_${id}`, freshnessStatus: 'fresh' },
        ]),
      ),
    });
    const found = call(positions, 'crowdedOf', [
      of('wheat', { cot_positioning_percentile: 99, cot_disaggregated_percentile: 10, cot_tff_percentile: null }),
      of('corn', { cot_positioning_percentile: 90, cot_disaggregated_percentile: null }),
      of('euro', { cot_positioning_percentile: 2, cot_tff_percentile: 89.99 }),
      of('note', { cot_tff_percentile: 0.96, cot_tff_long: 1 }),
      of('none', { cot_tff_percentile: null }),
    ]) as readonly { entityId: string; group: string; side: string | null }[];
    expect(found.map(({ entityId, group, side }) => [entityId, group, side])).toEqual([
      ['note', 'Leveraged funds', 'short'],
      ['corn', 'Non-commercial', 'long'],
      ['wheat', 'Managed money', 'short'],
      ['euro', 'Leveraged funds', null],
    ]);
  });

  it('begins with the contract furthest from the middle, and counts the net position in percent of all open contracts', () => {
    const numbers = {
      'cot_positioning_percentile@chg1': -2,
      cot_noncommercial_long: 30,
      cot_noncommercial_short: 50,
      cot_open_interest: 400,
    };
    const rows = call(positions, 'overviewOf', [row('middle', 52), row('low', 3, numbers), row('high', 91)], legacy) as readonly object[];
    expect(rows.map((one) => (one as { entityId: string }).entityId)).toEqual(['low', 'high', 'middle']);
    expect(rows[0]).toEqual({
      entityId: 'low',
      name: 'low',
      report: 'legacy',
      group: 'Non-commercial',
      percentile: 3,
      side: 'short',
      observationId: 'obs_low',
      week: '2026-11-24',
      freshness: 'fresh',
      change: -2,
      net: -20,
      share: -5,
      crowding: 47,
    });
    expect(rows[1]).toMatchObject({ change: null, net: null, share: null });
  });

  it('of one report names the contracts that only other reports have, each once', () => {
    const { REPORTS } = positions as unknown as { REPORTS: readonly { id: string; percentile: string }[] };
    const disaggregated = REPORTS.find(({ id }) => id === 'disaggregated');
    expect(call(positions, 'onlyElsewhere', disaggregated)).toBe(
      'cot_tff_percentile:gte:0|cot_positioning_percentile:gte:0;cot_disaggregated_percentile:is:null',
    );
    const both = { ...row('yen', 20), values: { ...row('yen', 20).values, cot_tff_percentile: { value: 30 } } };
    expect(call(positions, 'elsewhereOf', [row('gold', 70), both, row('corn', 96)])).toEqual([
      { label: 'Financial futures', names: ['yen'] },
      { label: 'Legacy', names: ['corn', 'gold'] },
    ]);
  });

  it('says if a position that is short against its own three years is still long, and the other way round', () => {
    const text = (side: string | null, net: number | null) => call(positions, 'sideText', { side, net });
    expect([text('short', 13_663), text('long', -1)]).toEqual(['short, but net long', 'long, but net short']);
    expect([text('short', -5), text('long', 5), text('short', 0), text('long', null)]).toEqual(['short', 'long', 'short', 'long']);
    expect(text(null, 5)).toBe('no');
  });
});

describe('a screen of then beside today', async () => {
  const then = await load('screener/then.js');

  it('asks for the fields that it filters and ranks by before the chosen columns', () => {
    const asked = (screen: object) => call(then, 'columnsAsked', screen);
    const filter = 'unemployment_rate@chg12:gt:0;policy_rate:gt:1|unemployment_rate@chg12:is:null';
    expect(asked({ filter, rank_by: 'gdp@yoy:desc', columns: 'unemployment_rate, policy_rate' })).toBe(
      'unemployment_rate@chg12,policy_rate,gdp@yoy,unemployment_rate',
    );
    expect([asked({ filter }), asked({ filter, columns: ' ' })]).toEqual([undefined, undefined]);
    expect([asked({ columns: 'a' }), asked({ filter: 'no filter', columns: 'a' })]).toEqual(['a', 'a']);
  });

  it('is saved under its fields, its as-of and its page', () => {
    const name = (screen: object, ...page: readonly number[]) => call(then, 'fileOf', screen, ...page);
    const filter = 'cpi_inflation_yoy@yoy:gt:3;policy_rate:lt:2';
    expect(name({ filter })).toBe('screen-countries-cpi_inflation_yoy-policy_rate');
    expect(name({ filter, as_of: '2020-05-15T12:00:00Z' }, 2)).toBe(
      'screen-countries-cpi_inflation_yoy-policy_rate-2020-05-15T12-00-00Z-page-2',
    );
    expect(name({ universe: 'companies', columns: 'price_to_book@rank,price_to_book' })).toBe('screen-companies-price_to_book');
  });

  it('tells what stayed, what dropped out and what is new', () => {
    const rows = (...ids: readonly string[]) => ids.map((entityId) => ({ entityId }));
    const found = call(then, 'matchesSince', rows('us', 'de'), rows('fr', 'us')) as { fateOf: (id: string) => string; added: unknown };
    expect([found.fateOf('us'), found.fateOf('de'), found.added]).toEqual(['stayed', 'dropped out', rows('fr')]);
  });

  it('without a match says to loosen the filter only if the as-of is not why', () => {
    const empty = (as_of: string | undefined, today: number | null) => call(then, 'emptyScreen', as_of, today);
    const loosen = 'No matches. Loosen the filter.';
    expect([empty(undefined, null), empty('2020-01-01', 0)]).toEqual([loosen, loosen]);
    expect(empty('2020-01-01', 1)).toMatch(/^No matches as of 2020-01-01. Today 1 matches. /);
    expect(empty('2020-01-01', null)).toMatch(/^No matches as of 2020-01-01. The data/);
  });

  it('takes the values of today from the same entity, and their change without the noise of binary numbers', () => {
    const values = (value: number) => ({ cpi: { value } });
    const rows = call(
      then,
      'besideToday',
      [
        { entityId: 'us', values: values(0.1) },
        { entityId: 'de', values: values(2) },
      ],
      [{ entityId: 'us', values: values(0.3) }],
    ) as readonly { values: { cpi: object }; today: { cpi?: object } }[];
    expect(rows.map(({ values: { cpi }, today }) => call(then, 'changeSince', cpi, today.cpi))).toEqual([0.2, null]);
  });

  it('mark a value that is stale, and one whose series may have ended', () => {
    const age = (freshnessStatus: string, scoringEligible: boolean) => call(then, 'ageOf', { freshnessStatus, scoringEligible });
    expect([age('stale', false), age('unknown', false), age('unknown', true), age('fresh', false), call(then, 'ageOf', undefined)]).toEqual(
      ['stale', 'freshness unknown', '', '', ''],
    );
  });

  it('has one number of decimals in all columns of a field, and a change that is the difference of the shown numbers', async () => {
    const { textOf, changeOf } = call(await load('screener/since-texts.js'), 'sinceTexts', [4.694, 5.536, 2, 3.5]) as {
      textOf: (value: number) => string;
      changeOf: (then: number, today: number) => string;
    };
    const shown = [4.694, 5.536, 2].map(textOf);
    expect([...shown, changeOf(4.694, 5.536), changeOf(2, 3.5), changeOf(3.5, 2)]).toEqual([
      '4.69',
      '5.54',
      '2.00',
      '0.85',
      '1.50',
      '-1.50',
    ]);
    expect(changeOf(3.501, 3.499)).toBe('0.00');
    const large = call(await load('screener/since-texts.js'), 'sinceTexts', [3.79e12, 4.1e12]) as { changeOf: typeof changeOf };
    expect(large.changeOf(3.79e12, 4.1e12)).toBe('310B');
  });

  it('names a column by its field, and says which modifier it has', () => {
    const fields = [{ field: 'cpi', label: 'Consumer Prices' }];
    expect(['cpi', 'cpi@chg12', 'gone'].map((name) => call(then, 'titleOf', name, fields))).toEqual([
      'Consumer Prices',
      'Consumer Prices, change over twelve months',
      'gone',
    ]);
  });
});

describe('what became known today', async () => {
  const today = await load('today/today.js');

  it('has one release for each indicator and period: that of the preferred source, and eligible ones first', () => {
    const row = (indicatorId: string, sourceId: string, more: object = {}) => ({
      indicatorId,
      sourceId,
      period: '2026-10',
      observedAt: '2026-11-20T12:00:00.000Z',
      preferredForFactor: false,
      scoringEligible: false,
      ...more,
    });
    const released = call(today, 'releasedOf', [
      row('de_cpi', 'oecd', { observedAt: '2026-11-21T12:00:00.000Z' }),
      row('us_cpi', 'fred_md'),
      row('us_cpi', 'fred', { preferredForFactor: true, scoringEligible: true }),
    ]) as readonly { indicatorId: string; sourceId: string }[];
    expect(released.map(({ indicatorId, sourceId }) => [indicatorId, sourceId])).toEqual([
      ['us_cpi', 'fred'],
      ['de_cpi', 'oecd'],
    ]);
  });

  it('has no release of a value that was revised since its first print', () => {
    const row = (sourceId: string, more: object) => ({
      indicatorId: 'us_gdp_growth_qoq',
      sourceId,
      period: '2026-Q3',
      actual: 2.41,
      consensus: 1.79,
      surprise: 0.62,
      preferredForFactor: false,
      scoringEligible: true,
      observedAt: '2026-11-25T13:30:00.000Z',
      ...more,
    });
    expect(call(today, 'releasedOf', [row('fred', { revised: true, preferredForFactor: true }), row('oecd', { revised: false })])).toEqual(
      [],
    );
    expect(call(today, 'releasedOf', [row('fred', { revised: false })])).toHaveLength(1);
  });

  it('has the releases by importance, then by how far each is from what was expected, relative to its level', () => {
    const row = (indicatorId: string, more: object) => ({
      indicatorId,
      observedAt: '2026-11-20T12:00:00.000Z',
      scoringEligible: true,
      importance: 'high',
      actual: 100,
      surprise: null,
      beyondBaseline: null,
      previous: null,
      revisedPrevious: null,
      ...more,
    });
    const rows = [
      row('low', { importance: 'low', surprise: 90 }),
      row('newest_without', { observedAt: '2026-11-21T12:00:00.000Z' }),
      row('without', {}),
      row('revised_before', { actual: 4, previous: 100, revisedPrevious: 102 }),
      row('large_number', { actual: 150_000, surprise: 300 }),
      row('small_number', { actual: -2, surprise: -1 }),
      row('beyond_baseline', { beyondBaseline: 10 }),
      row('unofficial', { scoringEligible: false, surprise: 50 }),
      row('medium', { importance: 'medium', surprise: 90 }),
      row('unknown', { importance: null, surprise: 90 }),
      row('from_zero', { actual: 0, surprise: -1 }),
    ];
    const names = (call(today, 'releasesInOrder', rows) as readonly { indicatorId: string }[]).map(({ indicatorId }) => indicatorId);
    expect(names).toEqual([
      'from_zero',
      'small_number',
      'beyond_baseline',
      'revised_before',
      'large_number',
      'newest_without',
      'without',
      'unofficial',
      'medium',
      'low',
      'unknown',
    ]);
  });

  it('begins with the countries and indicators that the search ranks first, unless a change is much larger', () => {
    const places = { entities: { us: 1, de: 5 }, indicators: { gdp_growth: 3, business_confidence: 16 } };
    const row = (country: string, factorKey: string, share: number) => ({
      indicatorId: `${country}_${factorKey}`,
      country,
      factorKey,
      importance: 'high',
      scoringEligible: true,
      observedAt: '2026-11-20T12:00:00.000Z',
      actual: 100,
      surprise: share,
      sourceId: 'x',
      period: '2026-10',
      periodEnd: '2026-10-31',
      changeType: 'revise',
      priorActual: 100 - share,
    });
    const rows = [
      row('DE', 'business_confidence', 90),
      row('US', 'business_confidence', 1),
      row('DE', 'gdp_growth', 1),
      row('US', 'gdp_growth', 1),
    ];
    const order = (name: string, some: readonly object[]) =>
      (call(today, name, some, places) as readonly { indicatorId: string }[]).map(({ indicatorId }) => indicatorId);
    const expected = ['US_gdp_growth', 'US_business_confidence', 'DE_gdp_growth', 'DE_business_confidence'];
    expect([order('releasesInOrder', rows), order('revisedOf', rows)]).toEqual([expected, expected]);
    const large = [row('US', 'gdp_growth', 1), row('US', 'business_confidence', 150)];
    expect(order('releasesInOrder', large)).toEqual(['US_business_confidence', 'US_gdp_growth']);
  });

  it('stands beside the forecast of its own period only, and says whether it lies outside the interval', () => {
    const row = { indicatorId: 'us_cpi', sourceId: 'fred', period: '2026-10', actual: 0.3 };
    const forecast = (forecastPeriod: string, upper: number) => ({
      indicatorId: 'us_cpi',
      sourceId: 'fred',
      forecastPeriod,
      forecast: 0.1,
      forecastLower: 0,
      forecastUpper: upper,
    });
    const beside = (...forecasts: readonly object[]) =>
      (call(today, 'besideBaseline', [row], forecasts) as readonly object[]).map(
        (one) => one as { baseline: unknown; beyondBaseline: unknown; isOutside: unknown },
      )[0];
    expect(beside(forecast('2026-10', 0.2))).toMatchObject({ baseline: 0.1, beyondBaseline: 0.2, isOutside: true });
    expect(beside(forecast('2026-10', 0.3))).toMatchObject({ isOutside: false });
    expect(beside(forecast('2026-11', 0.2))).toMatchObject({ baseline: null, beyondBaseline: null, isOutside: false });
  });

  it('reads changes from a CSV, where an empty cell is no value and not zero', () => {
    const heads =
      'indicator_id,indicator_name,country,source_id,importance,unit,period,period_end,actual,prior_actual,change_type,observed_at,observation_id,factor_key';
    const line = [
      'us_cpi',
      'CPI',
      'US',
      'fred',
      'high',
      'index',
      '2026-10',
      '2026-10-31',
      '',
      '0',
      'retract',
      '2026-11-20T12:00:00.000Z',
      'obs_1',
      'cpi',
    ];
    expect(call(today, 'changesIn', [heads.split(','), line])).toEqual([
      {
        indicatorId: 'us_cpi',
        indicatorName: 'CPI',
        country: 'US',
        sourceId: 'fred',
        importance: 'high',
        unit: 'index',
        period: '2026-10',
        periodEnd: '2026-10-31',
        actual: null,
        priorActual: 0,
        changeType: 'retract',
        observedAt: '2026-11-20T12:00:00.000Z',
        observationId: 'obs_1',
        factorKey: 'cpi',
      },
    ]);
  });

  it('counts the revised periods of a series, and shows the newest from its first value to its last', () => {
    const change = (indicatorId: string, period: string, [prior, actual]: readonly [number | null, number], changeType = 'revise') => ({
      indicatorId,
      sourceId: 'fred',
      period,
      periodEnd: `${period}-28`,
      priorActual: prior,
      actual,
      changeType,
    });
    const revised = call(today, 'revisedOf', [
      change('us_cpi', '2026-10', [null, 5], 'insert'),
      change('us_cpi', '2026-08', [1, 2]),
      change('us_gdp', '2026-09', [1, 1]),
      change('us_jobs', '2026-09', [7, 8]),
      change('us_cpi', '2026-09', [3, 4]),
      change('us_cpi', '2026-09', [4, 3.5]),
    ]) as readonly object[];
    expect(revised.length).toBe(2);
    // Both are of one importance. 0.5 of 3 is more than 1 of 7.
    expect(revised[0]).toMatchObject({ indicatorId: 'us_cpi', periods: 2, period: '2026-09', before: 3, after: 3.5, change: 0.5 });
    expect(revised[1]).toMatchObject({ indicatorId: 'us_jobs', periods: 1, before: 7, after: 8, change: 1 });
  });

  describe('the most revised series', () => {
    const change = (indicatorId: string, month: string, [prior, actual]: readonly [number | null, number | null], type = 'revise') => ({
      indicatorId,
      sourceId: 'fred',
      frequency: 'monthly',
      period: `2026-${month}`,
      periodEnd: `2026-${month}-28`,
      priorActual: prior,
      actual,
      changeType: type,
    });
    /** Values that move by so much each month, up and down. */
    const history = (indicatorId: string, level: number, step: number, count = 48) =>
      Array.from({ length: count }, (_, at) => ({
        indicatorId,
        sourceId: 'fred',
        frequency: 'monthly',
        periodEnd: `${2022 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}-28`,
        actual: level + (at % 2) * step,
      }));

    it('are ranked by the revision divided by the usual change, so that a rate near zero does not lead', () => {
      const series = call(today, 'revisedSeriesOf', [
        change('near_zero', '09', [0.001, -0.01]),
        change('payrolls', '08', [150_000, 150_300]),
        change('payrolls', '09', [150_000, 149_000]),
        change('payrolls', '10', [null, 90_000], 'insert'),
        change('gdp', '09', [2, 4]),
        change('gdp', '09', [4, 3]),
        change('young', '09', [1, 2]),
        change('still', '09', [1, 3]),
        change('gone', '09', [5, null]),
        change('same', '09', [5, 5]),
      ]);
      const usual = call(today, 'usualChangesOf', [
        ...history('near_zero', 0, 0.5),
        ...history('payrolls', 149_000, 200).toReversed(),
        ...history('gdp', 2, 0.5),
        ...history('young', 2, 0.5, 8),
        ...history('still', 2, 0),
        ...history('gone', 5, 1),
      ]);
      expect(call(today, 'mostRevisedOf', series, usual)).toMatchObject([
        { indicatorId: 'payrolls', period: '2026-09', before: 150_000, after: 149_000, usual: 200, size: 5, periods: 2 },
        { indicatorId: 'gdp', period: '2026-09', before: 2, after: 3, change: 1, usual: 0.5, size: 2, periods: 1 },
        { indicatorId: 'near_zero', usual: 0.5, size: expect.closeTo(0.022, 9) },
        // Neither has a usual change: by their own change.
        { indicatorId: 'still', usual: 0, size: null },
        { indicatorId: 'young', usual: null, size: null },
        { indicatorId: 'gone', before: 5, after: null, size: null },
      ]);
    });

    it('have the median of the newest 40 changes as their usual one, which a single jump does not move', () => {
      const jump = history('jump', 10, 1).map((row, at) => (at === 40 ? { ...row, actual: 5000 } : row));
      const older = history('older', 10, 900, 8).concat(
        history('older', 10, 1, 48).map((row) => ({ ...row, periodEnd: `3${row.periodEnd}` })),
      );
      const gap = history('gap', 10, 1).map((row, at) => (at % 2 === 0 ? row : { ...row, actual: null }));
      expect(call(today, 'usualChangesOf', [...jump, ...older, ...gap])).toEqual(
        new Map([
          ['jump fred monthly', 1],
          ['older fred monthly', 1],
        ]),
      );
    });

    it('are measured in turn by their units if they are too many, so that levels are among them', () => {
      const row = (indicatorId: string, unit: string) => ({ indicatorId, unit });
      const all = [
        row('a', 'percent'),
        row('b', 'percent'),
        row('c', 'percent'),
        row('d', 'index'),
        row('e', 'index'),
        row('f', 'persons'),
      ];
      const chosen = (most: number) =>
        (call(today, 'measuredOf', all, most) as { indicatorId: string }[]).map(({ indicatorId }) => indicatorId);
      expect([chosen(4), chosen(9)]).toEqual([
        ['a', 'd', 'f', 'b'],
        ['a', 'd', 'f', 'b', 'e', 'c'],
      ]);
      expect(call(today, 'measuredOf', [], 4)).toEqual([]);
    });

    it('are asked for their history by frequency, some indicators at a time, from a day that gives enough periods', () => {
      const row = (indicatorId: string, frequency: string, sourceId = 'fred') => ({ indicatorId, frequency, sourceId });
      const asked = call(
        today,
        'historiesOf',
        [row('a', 'monthly'), row('b', 'quarterly'), row('c', 'monthly'), row('a', 'monthly', 'oecd'), row('d', 'monthly')],
        '2026-11-02',
        2,
      );
      expect(asked).toEqual([
        { indicator_id: 'a,c', frequency: 'monthly', start_date: '2022-01-01' },
        { indicator_id: 'd', frequency: 'monthly', start_date: '2022-01-01' },
        { indicator_id: 'b', frequency: 'quarterly', start_date: '2015-01-01' },
      ]);
    });
  });

  it('has the revisions by importance, then by their size relative to the level before; a withdrawn value comes before both', () => {
    const change = (indicatorId: string, importance: string | null, [prior, actual]: readonly [number, number | null], month = '09') => ({
      indicatorId,
      importance,
      sourceId: 'fred',
      period: `2026-${month}`,
      periodEnd: `2026-${month}-28`,
      priorActual: prior,
      actual,
      changeType: 'revise',
    });
    const revised = call(today, 'revisedOf', [
      change('two_small', 'high', [150_000, 150_300], '08'),
      change('two_small', 'high', [150_000, 150_300]),
      change('medium', 'medium', [1, 9]),
      change('unknown', null, [1, 9]),
      change('gdp', 'high', [-2, -3]),
      change('gone', 'high', [5, null]),
    ]) as readonly { indicatorId: string }[];
    expect(revised.map(({ indicatorId }) => indicatorId)).toEqual(['gone', 'gdp', 'two_small', 'medium', 'unknown']);
  });
});

describe('what was not known of a company', async () => {
  const then = await load('company/then.js');
  const row = (more = {}) => ({ sector: null, industry: null, country: null, ticker: null, ...more });

  it('is what its row of today has and its row of then has not', () => {
    expect(call(then, 'unknownThen', row({ country: 'US' }), row({ country: 'US', sector: 'Mining', ticker: 'X' }))).toEqual([
      'sector',
      'ticker',
    ]);
  });

  it('is known from a day on, which a question for each halving finds', async () => {
    for (const first of ['2022-07-01', '2024-02-29', '2026-11-29']) {
      const asked: string[] = [];
      const isKnown = (day: string) => Promise.resolve(asked.push(day) > 0 && day >= first);
      expect(await call(then, 'firstDay', '2022-06-30', '2026-11-29', isKnown)).toBe(first);
      expect(asked.length).toBeLessThanOrEqual(11);
    }
  });
});

describe('the numbers of a company', async () => {
  const statements = await load('company/statements.js');
  const multiples = await load('company/multiples.js');
  const then = await load('company/then.js');
  const line = (unit: string, ...values: readonly (number | null)[]) => ({
    unit,
    cells: Object.fromEntries(values.map((value, at) => [`s${at}`, { value }])),
  });

  it('are in millions if one of their unit is that large, in all lines of the unit', () => {
    const lines = [line('USD', 5, null), line('USD', -2_500_000), line('USD/shares', 3.2), line('shares', 999_999)];
    expect([...(call(statements, 'scaleOf', lines) as Map<string, number>)]).toEqual([
      ['USD', 1e6],
      ['USD/shares', 1],
      ['shares', 1],
    ]);
  });

  const column = (id: string, periodEnd: string, periodStart: string | null = null) => ({ id, statement: { periodStart, periodEnd } });
  type Column = ReturnType<typeof column>;
  const growthIn = (columns: readonly Column[], ...values: readonly (number | null)[]) =>
    columns.map((one) => call(statements, 'growthOf', line('USD', ...values), one, columns));

  it('grow from the same period a year earlier, and not from a loss or from nothing', () => {
    const columns = [
      column('s0', '2024-03-31', '2024-01-01'),
      column('s1', '2023-12-31', '2023-01-01'),
      column('s2', '2023-03-31', '2023-01-01'),
    ];
    const growth = (...values: readonly (number | null)[]) => growthIn(columns, ...values)[0];
    expect([growth(110, 7, 100), growth(-50, 7, 100), growth(5, 7, -100), growth(5, 7, 0), growth(null, 7, 100)]).toEqual([
      10,
      -150,
      null,
      null,
      null,
    ]);
    expect(growthIn(columns, 1, 2, 3)[2]).toBeNull();
  });

  it('of twelve months grow from the twelve months a year earlier, not from those that ended with the year', () => {
    const columns = [
      column('s0', '2024-12-31', '2024-01-01'),
      column('s1', '2024-09-30', '2023-10-01'),
      column('s2', '2023-12-31', '2023-01-01'),
      column('s3', '2023-09-30', '2022-10-01'),
      column('s4', '2022-12-31', '2022-01-01'),
    ];
    expect(growthIn(columns, 130, 120, 104, 100, 80)).toEqual([25, 20, 30, null, null]);
  });

  it('compare balance sheets by their day, and years of 52 weeks with those of 53', () => {
    expect(growthIn([column('s0', '2024-09-28'), column('s1', '2024-06-29'), column('s2', '2023-09-30')], 110, 1, 100)[0]).toBe(10);
    const weeks = [column('s0', '2024-02-03', '2023-01-29'), column('s1', '2023-01-28', '2022-01-30')];
    expect(growthIn(weeks, 110, 100)[0]).toBe(10);
  });

  it('do not compare with a period of another length or currency, as after a move of the year end', () => {
    const moved = [
      column('s0', '2024-06-30', '2023-07-01'),
      column('s1', '2023-06-30', '2023-01-01'),
      column('s2', '2022-12-31', '2022-01-01'),
    ];
    expect(growthIn(moved, 110, 50, 100)).toEqual([null, null, null]);
    // Of two filings of one period, the one of the same length.
    const both = [
      column('s0', '2023-06-30', '2023-04-01'),
      column('s1', '2022-06-30', '2022-01-01'),
      column('s2', '2022-06-30', '2022-04-01'),
    ];
    expect(growthIn(both, 110, 50, 100)[0]).toBe(10);
    const years = [column('s0', '2024-12-31', '2024-01-01'), column('s1', '2023-12-31', '2023-01-01')];
    const converted = { unit: 'USD', cells: { s0: { value: 110, unit: 'USD' }, s1: { value: 100, unit: 'EUR' } } };
    expect(call(statements, 'growthOf', converted, years[0], years)).toBeNull();
  });

  it('per share do not compare with a year earlier if the number of shares is another by a split', () => {
    const columns = [2023, 2022, 2021].map((year, at) => column(`s${at}`, `${year}-12-31`, `${year}-01-01`));
    const named = (key: string, unit: string, ...values: readonly (number | null)[]) => ({ key, ...line(unit, ...values) });
    const eps = named('epsDiluted', 'USD/shares', 2, 1.9, 3.6);
    const stated = [eps, named('weightedSharesDiluted', 'shares', 110, 100, 50)];
    const split = (one: object, at: number, lines: readonly object[]) => call(statements, 'splitBetween', one, columns[at], columns, lines);
    expect([0, 1, 2].map((at) => split(eps, at, stated))).toEqual([null, 2, null]);
    expect(split(stated[1] ?? {}, 1, stated)).toBe(2);
    const income = named('netIncome', 'USD', 220, 190, 180);
    // Without a count, income divided by income per share has it; of a figure near zero it does not.
    expect(split(eps, 1, [eps, income])).toBe(2);
    expect(split(income, 1, stated)).toBe(null);
    const small = named('epsDiluted', 'USD/shares', 2, 1.9, 0.04);
    expect(split(small, 1, [small, income])).toBe(null);
    // A reverse split.
    const fewer = [eps, named('weightedSharesDiluted', 'shares', 10, 100, 100)];
    expect(split(eps, 0, fewer)).toBe(0.1);
  });

  it('have a place in their own history only from twelve month ends on', () => {
    const values = Array.from({ length: 11 }, (_, at) => at);
    const place = (some: readonly number[]) => call(multiples, 'percentileOf', 6, some, multiples['LEAST_MONTHS']);
    expect([place(values), place([...values, 11])]).toEqual([null, 54]);
  });

  it('have a place among others: the share that is lower, ties by half', () => {
    const place = (value: number | null, ...values: readonly number[]) => call(multiples, 'percentileOf', value, values);
    expect([place(3, 1, 2, 3, 4), place(0, 1, 2), place(9, 1, 2), place(3, 3), place(null, 1, 2)]).toEqual([63, 0, 100, null, null]);
  });

  it('are yields in percent and plain multiples, in tiles and charts', () => {
    const texts = call(multiples, 'textsIn', { dividendYield: 0.0348, priceToBook: 3.7 }) as (id: string, label: string) => string;
    expect([texts('dividendYield', 'Dividend yield'), texts('priceToBook', 'Price to book')]).toEqual(['3.48 %', '3.7']);
    const drawn = (label: string, value: number | null) => [call(multiples, 'readAs', label, value), call(multiples, 'unitRead', label)];
    expect([drawn('Dividend yield', 0.25), drawn('Dividend yield', null), drawn('Price to book', 3.7)]).toEqual([
      [25, '%'],
      [null, '%'],
      [3.7, ''],
    ]);
  });

  it('are ranked within the sector only if it was known', () => {
    const among = (sector: string | null, as_of?: string) => call(then, 'rankedAmong', sector, as_of);
    expect([among('Manufacturing', '2020-05-15'), among(null, '2020-05-15'), among(null)]).toEqual([
      'within the sector, or among all companies if fewer than five of the sector have the figure',
      'among all companies, because no sector was known by 2020-05-15',
      'among all companies, because no sector is known',
    ]);
  });

  it('have no lines before a month end was known', () => {
    const about = (from: string | null, hasSector: boolean) =>
      call(multiples, 'aboutLines', { from, as_of: '2020-05-15', hasSector }) as string;
    expect(about('2019-05-31', true)).toContain('The lines show month ends from 2019-05-31 on');
    expect(about(null, false)).toBe('No multiple has a value at a month end that was known by 2020-05-15, so there are no lines.');
    expect(about(null, true)).toMatch(/so there are no lines\. Sector says how many percent of the companies of the sector are lower\.$/);
  });

  it('have a history that ends before an as-of within a day', () => {
    const to = (as_of: string | undefined) => (call(multiples, 'historyAsked', 'company_1', as_of, '2026-11-28') as { to: string }).to;
    expect([to(undefined), to('2020-06-30'), to('2020-06-30T12:00:00Z')]).toEqual(['2026-11-28', '2020-06-30', '2020-06-29']);
  });
});

describe('the reason of a source', async () => {
  const reasons = await load('health/reasons.js');
  const source = {
    lastSuccessAt: '2026-01-01T00:00:00Z',
    lastErrorMessage: null,
    lastErrorCode: null,
    consecutiveFailures: 0,
    freshnessStatus: 'fresh',
    seriesTotal: 4,
    seriesFresh: 1,
    seriesStale: 3,
    nextRunAt: '2026-01-02T00:00:00Z',
  };
  const reason = (more: Readonly<Record<string, unknown>>) => call(reasons, 'reasonOf', { ...source, ...more });

  it('is the first that its status follows from', () => {
    const failure = { lastErrorMessage: 'No route to host.' };
    expect([
      reason({ status: 'unknown' }),
      reason({ status: 'failing', consecutiveFailures: 3, ...failure }),
      reason({ status: 'failing', lastSuccessAt: null }),
      reason({ status: 'degraded', consecutiveFailures: 1, freshnessStatus: 'stale', ...failure }),
      reason({ status: 'degraded', lastErrorCode: 'way_behind', ...failure }),
      reason({ status: 'degraded', freshnessStatus: 'stale' }),
      reason({ status: 'degraded', freshnessStatus: 'stale', seriesTotal: 0 }),
      reason({ status: 'degraded' }),
      reason({ status: 'healthy' }),
      reason({ status: 'healthy', seriesFresh: 0 }),
    ]).toEqual([
      'No run has asked for it yet.',
      'It failed 3 times in a row: No route to host.',
      'It has never succeeded.',
      'The last run failed: No route to host.',
      'One way to its data is behind another: No route to host.',
      '3 series are stale, 1 fresh.',
      'Its newest file is older than usual.',
      'A run was due on 2026-01-02, and none came.',
      '1 series is fresh.',
      'None of its series is late.',
    ]);
  });
});

describe('data health', async () => {
  const reasons = await load('health/reasons.js');

  it('has the sources by status, then those with the most stale series', () => {
    const source = (sourceId: string, status: string, seriesStale: number) => ({ sourceId, status, seriesStale });
    const all = [source('a', 'degraded', 1), source('b', 'failing', 0), source('c', 'degraded', 9), source('d', 'degraded', 1)];
    const ordered = call(reasons, 'worstFirst', all) as readonly { sourceId: string }[];
    expect(ordered.map(({ sourceId }) => sourceId)).toEqual(['b', 'c', 'a', 'd']);
  });

  it('has durations in whole days, and long ones in years', () => {
    const text = (days: number) => call(reasons, 'durationText', days);
    expect([0.4, 1, 12.37, 729.6, 933.58, 3566.58].map(text)).toEqual(['0 days', '1 day', '12 days', '730 days', '2.6 years', '9.8 years']);
    expect(call(reasons, 'inShort', 'The newest period is 933.58 days older than the budget of 72 days allows.')).toBe(
      'The newest period is 2.6 years older than the budget of 72 days allows.',
    );
  });
});

describe('the freshness of the data', async () => {
  const freshness = await load('health/freshness.js');
  const now = Date.parse('2026-11-29T12:00:00Z');
  const source = (name: string, status: string, lastNewDataAt: string | null, more: object = {}) => ({
    sourceId: name,
    name,
    status,
    lastNewDataAt,
    lastSuccessAt: lastNewDataAt,
    lastErrorMessage: null,
    lastErrorCode: null,
    consecutiveFailures: 0,
    freshnessStatus: 'stale',
    seriesTotal: 4,
    seriesFresh: 1,
    seriesStale: 3,
    nextRunAt: '2026-01-02T00:00:00Z',
    ...more,
  });
  const of = (...sources: readonly object[]) => call(freshness, 'freshnessOf', sources, now);

  it('is the age of the newest data, and why the worst source is in trouble, in the words of Data health', () => {
    const failing = source('c', 'failing', '2026-11-29T11:56:00Z', { consecutiveFailures: 3, lastErrorMessage: 'No route to host.' });
    const found = of(
      source('a', 'healthy', '2026-11-29T11:57:00Z'),
      // Its newest fetch is minutes old: the age of its data is not what is wrong with it.
      source('b', 'degraded', '2026-11-29T11:56:00Z'),
      failing,
      source('d', 'healthy', '2026-01-01T00:00:00Z'),
      source('e', 'unknown', null),
    );
    expect(found).toEqual({
      newest: { name: 'a', age: '3 minutes' },
      trouble: 2,
      asked: 4,
      worst: { name: 'c', reason: 'It failed 3 times in a row: No route to host.' },
    });
    expect(of(source('b', 'degraded', '2026-11-29T11:56:00Z'))).toMatchObject({
      trouble: 1,
      worst: { name: 'b', reason: '3 series are stale, 1 fresh.' },
    });
  });

  it('counts the sources in trouble among all, and the series of the worst one apart from them', () => {
    const text = (...sources: readonly object[]) => call(freshness, 'troubleText', of(...sources));
    const [stale, well] = [source('the bank', 'degraded', null), source('a', 'healthy', '2026-11-29T11:57:00Z')];
    expect([text(stale, stale, well), text(stale, well), text(well)]).toEqual([
      '2 of 3 sources are in trouble. The worst is the bank: 3 series are stale, 1 fresh.',
      '1 of 2 sources is in trouble. It is the bank: 3 series are stale, 1 fresh.',
      'No source is in trouble.',
    ]);
  });

  it('is in days from two days on, and names no source if all are well', () => {
    expect(of(source('b', 'healthy', '2026-11-27T12:00:00Z'))).toEqual({
      newest: { name: 'b', age: '2 days' },
      trouble: 0,
      asked: 1,
      worst: null,
    });
    expect(of(source('a', 'healthy', '2026-11-29T11:59:30Z'))).toEqual({
      newest: { name: 'a', age: '1 minute' },
      trouble: 0,
      asked: 1,
      worst: null,
    });
    expect(of(source('c', 'failing', null))).toEqual({
      newest: null,
      trouble: 1,
      asked: 1,
      worst: { name: 'c', reason: 'It has never succeeded.' },
    });
    expect(of(source('e', 'unknown', null))).toEqual({ newest: null, trouble: 0, asked: 0, worst: null });
  });
});

describe('the charts of the start page', async () => {
  const home = await load('home/revised.js');
  const print = (value: number | null, from: string) => ({ value, from });

  it('draw one period from its first print to now', () => {
    const prints = [print(1, '1970-01-01T00:00:10Z'), print(null, '1970-01-01T00:00:20Z'), print(3, '1970-01-01T00:00:30Z')];
    const path = (some: readonly object[], isBackfill = false) =>
      call(home, 'pathOf', { isBackfill, prints: some }, '1970-01-01T00:01:00Z');
    expect(path(prints)).toEqual({
      data: [
        [10, 30, 60],
        [1, 3, 3],
      ],
      first: prints[0],
      last: prints[2],
    });
    // One print, a backfill, a value that was withdrawn.
    expect([path(prints.slice(0, 1)), path(prints, true), path([...prints, prints[1] ?? {}])]).toEqual([null, null, null]);
  });

  it('measure the revision of each period from its first print, which a backfill has not, and name the largest', () => {
    const period = (day: string, isBackfill: boolean, ...values: readonly (number | null)[]) => ({
      period: day,
      periodEnd: day,
      isBackfill,
      prints: values.map((value) => print(value, day)),
    });
    const periods = [
      period('1970-01-02', false, 1, 5, 3),
      period('1970-01-03', true, 1, 90),
      period('1970-01-04', false, 10, 7.1),
      period('1970-01-05', false, 4, null),
      period('1970-01-06', false, 4),
    ];
    const found = call(home, 'revisionsOf', periods) as { data: unknown; largest: { period: string; difference: number } };
    expect(found.data).toEqual([
      [86_400, 259_200, 432_000],
      [2, -2.9, 0],
    ]);
    expect([found.largest.period, found.largest.difference]).toEqual(['1970-01-04', -2.9]);
  });

  it('stand at the first day of their month, which has its name on the axis', () => {
    const month = (name: string, periodEnd: string) => ({
      period: name,
      periodEnd,
      isBackfill: false,
      prints: [print(1, periodEnd), print(2, periodEnd)],
    });
    const found = call(home, 'revisionsOf', [month('2026-06', '2026-06-30'), month('2026-07', '2026-07-31')]) as {
      data: readonly (readonly number[])[];
      periods: readonly { period: string }[];
    };
    expect(found.data[0]?.map((seconds) => new Date(seconds * 1000).toISOString().slice(0, 10))).toEqual(['2026-06-01', '2026-07-01']);
    expect(found.periods.map(({ period }) => period)).toEqual(['2026-06', '2026-07']);
  });
});

describe('recessions', async () => {
  const recessions = await load('series/shades.js');
  const list = [
    { peak: '1973-11', trough: '1975-03', peakAnnounced: null, troughAnnounced: null },
    { peak: '2007-12', trough: '2009-06', peakAnnounced: '2008-12-01', troughAnnounced: '2010-09-20' },
  ];
  const shades = (moment: string | null, isOfDays = false) =>
    (call(recessions, 'shadesOf', list, moment, isOfDays) as readonly (readonly [number, number | null])[]).map((ends) =>
      ends.map((end) => (end === null ? null : new Date(end * 1000).toISOString().slice(0, 10))),
    );

  it('are as the committee had dated them: none before the peak is announced, up to that moment before the trough is', () => {
    const old = ['1973-11-01', '1975-03-01'];
    expect(shades(null)).toEqual([old, ['2007-12-01', '2009-06-01']]);
    expect(shades('2008-11-30T23:59:59.999Z')).toEqual([old]);
    expect(shades('2008-12-01T23:59:59.999Z')).toEqual([old, ['2007-12-01', '2008-12-01']]);
    expect(shades('2009-03-15T12:00:00.000Z')).toEqual([old, ['2007-12-01', '2009-03-15']]);
    expect(shades('2010-09-20T23:59:59.999Z')).toEqual([old, ['2007-12-01', '2009-06-01']]);
  });

  it('reach from the point of one month to that of the other, and over days from the end of one to the end of the other', () => {
    expect([shades(null)[1], shades(null, true)[1]]).toEqual([
      ['2007-12-01', '2009-06-01'],
      ['2007-12-31', '2009-06-30'],
    ]);
  });

  it('of the list end after they began, and were announced after they began and ended', () => {
    const lines = readFileSync(join(import.meta.dirname, '../../data/reference/recessions.csv'), 'utf8')
      .trim()
      .split('\n')
      .slice(1);
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines) {
      const [, peak = '', trough = '', peakAnnounced = '', troughAnnounced = ''] = line.split(',');
      expect([
        line,
        peak < trough,
        peakAnnounced === '' || peakAnnounced > peak,
        troughAnnounced === '' || troughAnnounced > trough,
      ]).toEqual([line, true, true, true]);
    }
  });
});

describe('the watch-list', async () => {
  const watched = await load('watched.js');
  const storage = () => {
    const kept = new Map<string, string>();
    return { getItem: (name: string) => kept.get(name) ?? null, setItem: (name: string, text: string) => void kept.set(name, text) };
  };
  const series = (id: string, source_id = 'fred_md') => ({ indicator_id: id, source_id, frequency: 'monthly' });

  it('adds a series in front, tells sources apart, and removes what is added again', () => {
    const own = storage();
    for (const one of [series('a'), series('b'), series('a', 'bls'), series('a')]) call(watched, 'toggleWatched', one, own);
    expect(call(watched, 'watchedNow', own)).toEqual([series('a', 'bls'), series('b')]);
    expect([series('a'), series('b')].map((one) => call(watched, 'isWatched', one, own))).toEqual([false, true]);
  });

  it('of more than fifty keeps the newest, and what is no list counts as none', () => {
    const own = storage();
    for (let at = 0; at < 52; at += 1) call(watched, 'toggleWatched', series(String(at)), own);
    const kept = call(watched, 'watchedNow', own) as readonly { indicator_id: string }[];
    expect([kept.length, kept[0]?.indicator_id, kept.at(-1)?.indicator_id]).toEqual([50, '51', '2']);
    for (const text of ['', '{', '{"a":1}', '[1,null,{"indicator_id":3}]']) {
      own.setItem('asof.watched', text);
      expect([text, call(watched, 'watchedNow', own)]).toEqual([text, []]);
    }
  });

  it('shows the rows of its own series, in its order', () => {
    const row = (indicatorId: string, sourceId: string) => ({ indicatorId, sourceId, frequency: 'monthly' });
    const rows = [row('a', 'fred_md'), row('a', 'bls'), row('b', 'fred_md')];
    expect(call(watched, 'rowsOfWatched', [series('b'), series('c'), series('a', 'bls')], rows)).toEqual([rows[2], rows[1]]);
  });
});

it('a ready screen is about the field of its filter, which its title names', async () => {
  const screens = await load('screener/then.js');
  const ready = screens['READY'] as unknown as readonly { id: string; params: object }[];
  expect(ready.map(({ id, params }) => [id, call(screens, 'fieldOf', params)])).toEqual([
    ['inflation', 'cpi_inflation_yoy'],
    ['unemployment', 'unemployment_rate'],
    ['sentiment', 'economic_sentiment'],
    ['earnings', 'price_to_earnings'],
    ['futures', 'cot_positioning_percentile'],
  ]);
});

it('the ready screen of crowded futures has the percentiles and the limits of the list that it opens', async () => {
  const [screens, positions] = [await load('screener/then.js'), await load('cot/positions.js')];
  const ready = screens['READY'] as unknown as readonly { id: string; params: { filter: string } }[];
  const { REPORTS, CROWDED_LONG, CROWDED_SHORT } = positions as unknown as {
    readonly REPORTS: readonly { readonly percentile: string }[];
    readonly CROWDED_LONG: number;
    readonly CROWDED_SHORT: number;
  };
  expect(ready.find(({ id }) => id === 'futures')?.params.filter.split('|')).toEqual(
    REPORTS.flatMap(({ percentile }) => [`${percentile}:gte:${CROWDED_LONG}`, `${percentile}:lte:${CROWDED_SHORT}`]),
  );
});
