import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Clause,
  DslError,
  type FieldRef,
  type Fields,
  formatFilter,
  isMatch,
  keyOf,
  MODIFIERS,
  MOST_CHARACTERS,
  parseColumns,
  parseFilter,
  parseRanking,
  type Term,
} from '../../src/model/screener-dsl.ts';

const FIELDS: Fields = new Map([
  ['cpi_inflation_yoy', 'number'],
  ['policy_rate', 'number'],
  ['unemployment_rate', 'number'],
  ['name', 'string'],
  ['country', 'string'],
]);
const EXAMPLE = 'cpi_inflation_yoy:gt:3;policy_rate@chg12:lt:0|unemployment_rate:gte:6';

const numbers = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const texts = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(';', '|', ',', ':', '\\', '.', ' ', 'a', 'é'), minLength: 1, maxLength: 12 }),
);
const numberRef = fc.record({
  field: fc.constantFrom('cpi_inflation_yoy', 'policy_rate'),
  modifier: fc.option(fc.constantFrom(...MODIFIERS)),
});
const textRef = fc.record({ field: fc.constantFrom('name', 'country'), modifier: fc.constant(null) });
const presence = fc.boolean().map((isNull) => ({ operator: 'is' as const, operand: { kind: 'presence' as const, isNull } }));
const about = (literal: fc.Arbitrary<number> | fc.Arbitrary<string>, one: readonly ('eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte')[]) => {
  const value: fc.Arbitrary<number | string> = literal;
  return fc.oneof(
    fc.record({ operator: fc.constantFrom(...one), operand: fc.record({ kind: fc.constant('one' as const), value }) }),
    fc.record({
      operator: fc.constantFrom('in' as const, 'nin' as const),
      operand: fc.record({ kind: fc.constant('many' as const), values: fc.array(value, { minLength: 1, maxLength: 4 }) }),
    }),
    presence,
  );
};
const between = fc.tuple(numbers, numbers).map(([a, b]) => ({
  operator: 'between' as const,
  operand: { kind: 'range' as const, from: Math.min(a, b) + 0, to: Math.max(a, b) + 0 },
}));
const term: fc.Arbitrary<Term> = fc.oneof(
  fc
    .tuple(numberRef, fc.oneof(about(numbers, ['eq', 'neq', 'gt', 'gte', 'lt', 'lte']), between))
    .map(([ref, rest]) => ({ ...ref, ...rest })),
  fc.tuple(textRef, about(texts, ['eq', 'neq'])).map(([ref, rest]) => ({ ...ref, ...rest })),
);
const filter: fc.Arbitrary<readonly Clause[]> = fc.array(fc.array(term, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 });

/** null when it is refused as it should be. */
const readOrRefuse = (text: string): readonly Clause[] | null => {
  try {
    return parseFilter(text, FIELDS);
  } catch (error) {
    if (error instanceof DslError) return null;
    throw error;
  }
};
const faultOf = (text: string): DslError => {
  try {
    parseFilter(text, FIELDS);
  } catch (error) {
    if (error instanceof DslError) return error;
    throw error;
  }
  throw new Error(`${text} was taken`);
};
const terms = (count: number) => Array(count).fill('policy_rate:gt:1').join(';');
const long = (length: number) => `name:eq:${'x'.repeat(length - 8)}`;

describe('parseFilter', () => {
  it('reads back the output of formatFilter for any values', () => {
    fc.assert(
      fc.property(filter, (clauses) => {
        const text = formatFilter(clauses);
        fc.pre(text.length <= MOST_CHARACTERS);
        expect(parseFilter(text, FIELDS)).toEqual(clauses);
      }),
      { numRuns: 1000 },
    );
  });

  it('reads any text or refuses it with a DslError only', () => {
    const pieces = fc.constantFrom(
      'cpi_inflation_yoy',
      'name',
      'policy_rate@',
      '@',
      'yoy',
      ':',
      ';',
      '|',
      ',',
      '\\',
      '..',
      'gt',
      'in',
      'is',
      'null',
      '3',
      '-1e9',
      ' ',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
        ),
        (text) => {
          const clauses = readOrRefuse(text);
          expect(clauses === null ? null : parseFilter(formatFilter(clauses), FIELDS)).toEqual(clauses);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('reads the example in the documentation', () => {
    const [first, second] = parseFilter(EXAMPLE, FIELDS);
    expect(first).toEqual([{ field: 'cpi_inflation_yoy', modifier: null, operator: 'gt', operand: { kind: 'one', value: 3 } }]);
    expect(second?.map((one) => `${keyOf(one)} ${one.operator}`)).toEqual(['policy_rate@chg12 lt', 'unemployment_rate gte']);
  });

  it('reads escaped separators as text', () => {
    expect(parseFilter('name:in:a\\,b,c\\:d\\;e\\|f\\\\', FIELDS)).toEqual([
      [{ field: 'name', modifier: null, operator: 'in', operand: { kind: 'many', values: ['a,b', 'c:d;e|f\\'] } }],
    ]);
    expect(faultOf('name:eq:a\\b').part).toBe('syntax');
    expect(faultOf('name:eq:a\\').part).toBe('syntax');
  });

  it('accepts 20 terms and 2,000 characters, and no more', () => {
    expect(parseFilter(terms(20), FIELDS)).toHaveLength(20);
    expect(faultOf(terms(21)).part).toBe('limit');
    expect(faultOf(terms(21).replaceAll(';', '|')).part).toBe('limit');
    expect(parseFilter(long(2000), FIELDS)).toHaveLength(1);
    expect(faultOf(long(2001)).part).toBe('limit');
  });

  it('names the unknown part, and the nearest known one', () => {
    expect(faultOf('cpi_inflaton_yoy:gt:3')).toMatchObject({ part: 'field', found: 'cpi_inflaton_yoy', known: [...FIELDS.keys()] });
    expect(faultOf('policy_rate@yyo:gt:3')).toMatchObject({ part: 'modifier', found: 'yyo', known: MODIFIERS });
    expect(faultOf('policy_rate:gtt:3')).toMatchObject({ part: 'operator', found: 'gtt' });
    expect(faultOf('name:gt:3')).toMatchObject({ part: 'operator', found: 'gt', known: ['eq', 'neq', 'in', 'nin', 'is'] });
    expect(faultOf('name@yoy:eq:a').part).toBe('modifier');
    expect(faultOf('Policy_rate:gt:3').part).toBe('field');
  });

  it.each([
    '',
    ';',
    'policy_rate',
    'policy_rate:gt',
    'policy_rate:gt:1:2',
    'policy_rate:gt:1;',
    '|policy_rate:gt:1',
    'policy_rate@yoy@yoy:gt:1',
  ])('refuses the form of %j', (text) => {
    expect(['syntax', 'field']).toContain(faultOf(text).part);
  });

  it.each([
    'gt:',
    'gt:x',
    'gt:0x10',
    'gt:Infinity',
    'gt:1e999',
    'gt:1,2',
    'between:1',
    'between:2..1',
    'between:1..2..3',
    'between:..2',
    'in:',
    'in:1,,2',
    'is:',
    'is:nil',
  ])('refuses the value of %j', (rest) => {
    expect(faultOf(`policy_rate:${rest}`).part).toBe('value');
  });
});

describe('isMatch', () => {
  const row: Readonly<Record<string, number | string>> = { cpi_inflation_yoy: 3.5, 'policy_rate@chg12': -0.5, name: 'France' };
  const cell = (ref: FieldRef) => row[keyOf(ref)] ?? null;
  it.each([
    ['cpi_inflation_yoy:gt:3', true],
    ['cpi_inflation_yoy:gte:3.5', true],
    ['cpi_inflation_yoy:lt:3.5', false],
    ['cpi_inflation_yoy:lte:3.5', true],
    ['cpi_inflation_yoy:between:3.5..4', true],
    ['cpi_inflation_yoy:between:4..5', false],
    ['cpi_inflation_yoy:in:1,3.5', true],
    ['cpi_inflation_yoy:nin:1,3.5', false],
    ['name:eq:france', true],
    ['name:neq:France', false],
    ['unemployment_rate:gt:0', false],
    ['unemployment_rate:neq:0', false],
    ['unemployment_rate:nin:0', false],
    ['unemployment_rate:is:null', true],
    ['unemployment_rate:is:notnull', false],
    ['name:is:notnull', true],
    [EXAMPLE, true],
    ['cpi_inflation_yoy:gt:3;unemployment_rate:gte:6', false],
    ['cpi_inflation_yoy:gt:9|unemployment_rate:gte:6|name:eq:France', true],
  ])('%s is %s', (text, expected) => {
    expect(isMatch(parseFilter(text, FIELDS), cell)).toBe(expected);
  });
});

describe('rankings and columns', () => {
  it('are lists of fields, a ranking with directions', () => {
    expect(parseRanking('policy_rate@yoy:asc,cpi_inflation_yoy', FIELDS)).toEqual([
      { field: 'policy_rate', modifier: 'yoy', order: 'asc' },
      { field: 'cpi_inflation_yoy', modifier: null, order: 'desc' },
    ]);
    expect(parseColumns('name,policy_rate@rank', FIELDS).map(keyOf)).toEqual(['name', 'policy_rate@rank']);
    for (const wrong of ['policy_rate:up', 'policy_rate:asc:asc', 'policy', '', 'policy_rate,'])
      expect(() => parseRanking(wrong, FIELDS)).toThrow(DslError);
    expect(() => parseColumns(Array(51).fill('name').join(','), FIELDS)).toThrow(DslError);
  });
});
