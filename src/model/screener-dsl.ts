// The filter language of the screener (docs/use/guides/screener.md): clauses joined by `;` (and), of terms joined by `|` (or), of the form
// `field[@mod]:op:value`. The literals `; | , : \` are escaped with `\`. Pure: the caller supplies the known fields.

export const OPERATORS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'between', 'in', 'nin', 'is'] as const;
export type Operator = (typeof OPERATORS)[number];
export const MODIFIERS = ['prev', 'chg1', 'chg12', 'yoy', 'rank', 'pct', 'z3y', 'age_days'] as const;
export type Modifier = (typeof MODIFIERS)[number];
export const TEXT_OPERATORS = ['eq', 'neq', 'in', 'nin', 'is'] as const satisfies readonly Operator[];

export const MOST_TERMS = 20;
export const MOST_CHARACTERS = 2000;
const MOST_COLUMNS = 50;

/** A figure is a number without access to its earlier values. */
export type FieldType = 'number' | 'figure' | 'string';
export const MODIFIERS_OF = {
  number: MODIFIERS,
  figure: ['rank', 'pct', 'age_days'],
  string: [],
} as const satisfies Record<FieldType, readonly Modifier[]>;
export type Fields = ReadonlyMap<string, FieldType>;

export interface FieldRef {
  readonly field: string;
  readonly modifier: Modifier | null;
}

export type Literal = number | string;
export type Operand =
  | { readonly kind: 'one'; readonly value: Literal }
  | { readonly kind: 'many'; readonly values: readonly Literal[] }
  | { readonly kind: 'range'; readonly from: number; readonly to: number }
  | { readonly kind: 'presence'; readonly isNull: boolean };

export interface Term extends FieldRef {
  readonly operator: Operator;
  readonly operand: Operand;
}

/** The terms of a clause are alternatives. */
export type Clause = readonly Term[];

export interface RankKey extends FieldRef {
  readonly order: 'asc' | 'desc';
}

/** An error in a text of the language; `name` is the unknown part, `known` the valid ones. */
export class DslError extends Error {
  override readonly name = 'DslError';
  readonly part: 'field' | 'operator' | 'modifier' | 'value' | 'syntax' | 'limit' | 'direction';
  readonly found: string;
  readonly known: readonly string[];

  constructor(part: DslError['part'], found: string, message: string, known: readonly string[] = []) {
    super(message);
    this.part = part;
    this.found = found;
    this.known = known;
  }
}

export function parseFilter(text: string, fields: Fields): readonly Clause[] {
  if (text.length > MOST_CHARACTERS) throw new DslError('limit', '', `is longer than ${MOST_CHARACTERS} characters`);
  const clauses = split(text, ';').map((clause) => split(clause, '|').map((term) => parseTerm(term, fields)));
  const count = clauses.reduce((sum, clause) => sum + clause.length, 0);
  if (count > MOST_TERMS) throw new DslError('limit', '', `has ${count} terms; at most ${MOST_TERMS} are taken`);
  return clauses;
}

function parseTerm(text: string, fields: Fields): Term {
  const [name = '', operator = '', ...rest] = split(text, ':');
  if (rest.length !== 1) throw new DslError('syntax', text, `has the term ${shown(text)}, which is not field:op:value`);
  const ref = parseRef(name, fields);
  const isText = fields.get(ref.field) === 'string';
  const allowed: readonly string[] = isText ? TEXT_OPERATORS : OPERATORS;
  const known = OPERATORS.find((one) => one === operator);
  if (known === undefined || !allowed.includes(known)) {
    const problem = known === undefined ? 'which does not exist' : 'which compares numbers only';
    throw new DslError('operator', operator, `has the operator ${shown(operator)}, ${problem}`, allowed);
  }
  return { ...ref, operator: known, operand: parseOperand(known, rest[0] ?? '', isText) };
}

/** `field` or `field@mod`. */
function parseRef(text: string, fields: Fields): FieldRef {
  const [field = '', modifier, ...more] = text.split('@');
  if (more.length > 0) throw new DslError('syntax', text, `has ${shown(text)}, with more than one modifier`);
  const type = fields.get(field);
  if (type === undefined) throw new DslError('field', field, `has the field ${shown(field)}, which does not exist`, [...fields.keys()]);
  if (modifier === undefined) return { field, modifier: null };
  const known = MODIFIERS.find((one) => one === modifier);
  const allowed: readonly Modifier[] = MODIFIERS_OF[type];
  if (known === undefined) throw new DslError('modifier', modifier, `has the modifier ${shown(modifier)}, which does not exist`, allowed);
  if (allowed.includes(known)) return { field, modifier: known };
  const why = type === 'string' ? 'which is a text' : `which takes ${allowed.join(', ')}`;
  throw new DslError('modifier', modifier, `has the modifier ${shown(modifier)} on ${field}, ${why}`);
}

function parseOperand(operator: Operator, text: string, isText: boolean): Operand {
  const literal = (raw: string): Literal => (isText ? parseText(raw) : parseNumber(raw));
  if (operator === 'is') return parsePresence(text);
  if (operator === 'between') return parseRange(text);
  const parts = split(text, ',');
  if (operator === 'in' || operator === 'nin') return { kind: 'many', values: parts.map(literal) };
  if (parts.length > 1) throw new DslError('value', text, `has a list after ${operator}; in and nin take lists`);
  return { kind: 'one', value: literal(text) };
}

function parsePresence(text: string): Operand {
  if (text === 'null' || text === 'notnull') return { kind: 'presence', isNull: text === 'null' };
  throw new DslError('value', text, `has is:${shown(text)}; it takes null or notnull`, ['null', 'notnull']);
}

function parseRange(text: string): Operand {
  const [from = '', to = '', ...more] = text.split('..');
  if (more.length > 0 || to === '') throw new DslError('value', text, `has between:${shown(text)}; it takes a..b`);
  const range = { kind: 'range', from: parseNumber(from), to: parseNumber(to) } as const;
  if (range.from > range.to) throw new DslError('value', text, `has between:${shown(text)}, whose bounds are reversed`);
  return range;
}

function parseNumber(text: string): number {
  const value = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(value)) throw new DslError('value', text, `has ${shown(text)} where a number is expected`);
  return value;
}

function parseText(raw: string): string {
  if (raw === '') throw new DslError('value', raw, 'has an empty value');
  return raw.replaceAll(/\\([\s\S])/g, '$1');
}

/** The parts between unescaped separators; escapes stay as they are. */
function split(text: string, separator: string): string[] {
  const parts = [''];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\\') {
      const escaped = text.charAt(at + 1);
      if (!/^[;|,:\\]$/.test(escaped)) throw new DslError('syntax', text, 'has a \\ that is not before one of ; | , : \\');
      parts.push(`${parts.pop() ?? ''}\\${escaped}`);
      at += 1;
    } else if (character === separator) parts.push('');
    else parts.push((parts.pop() ?? '') + character);
  }
  return parts;
}

const shown = (text: string) => `\`${text.slice(0, 80)}\``;

/** The same clauses with the literals of a text field replaced. */
export function withLiterals(clauses: readonly Clause[], field: string, replace: (text: string) => string): readonly Clause[] {
  const replaced = (value: Literal) => (typeof value === 'string' ? replace(value) : value);
  const operandOf = (operand: Operand): Operand => {
    if (operand.kind === 'one') return { kind: 'one', value: replaced(operand.value) };
    return operand.kind === 'many' ? { kind: 'many', values: operand.values.map(replaced) } : operand;
  };
  return clauses.map((clause) => clause.map((term) => (term.field === field ? { ...term, operand: operandOf(term.operand) } : term)));
}

/** The text of clauses, which parseFilter reads back unchanged. */
export function formatFilter(clauses: readonly Clause[]): string {
  return clauses.map((clause) => clause.map(formatTerm).join('|')).join(';');
}

function formatTerm({ operator, operand, ...ref }: Term): string {
  return `${keyOf(ref)}:${operator}:${formatOperand(operand)}`;
}

function formatOperand(operand: Operand): string {
  switch (operand.kind) {
    case 'one':
      return formatLiteral(operand.value);
    case 'many':
      return operand.values.map(formatLiteral).join(',');
    case 'range':
      return `${operand.from}..${operand.to}`;
    case 'presence':
      return operand.isNull ? 'null' : 'notnull';
  }
}

const formatLiteral = (value: Literal) => String(value).replaceAll(/[;|,:\\]/g, '\\$&');

/** The name of a requested value in questions and answers: `field` or `field@mod`. */
export function keyOf({ field, modifier }: FieldRef): string {
  return modifier === null ? field : `${field}@${modifier}`;
}

/** `field[@mod][:asc|:desc]`, separated by commas; desc by default. */
export function parseRanking(text: string, fields: Fields): readonly RankKey[] {
  return checkCount(text.split(',')).map((part) => {
    const [name = '', order = 'desc', ...more] = part.split(':');
    if (more.length > 0 || (order !== 'asc' && order !== 'desc')) {
      throw new DslError('direction', order, `has ${shown(part)}; after the field stands asc or desc`, ['asc', 'desc']);
    }
    return { ...parseRef(name, fields), order };
  });
}

/** `field[@mod]`, separated by commas. */
export function parseColumns(text: string, fields: Fields): readonly FieldRef[] {
  return checkCount(text.split(',')).map((part) => parseRef(part, fields));
}

function checkCount(parts: readonly string[]): readonly string[] {
  if (parts.length > MOST_COLUMNS) throw new DslError('limit', '', `has ${parts.length} fields; at most ${MOST_COLUMNS} are taken`);
  return parts;
}

export type Cell = number | string | null;

/** True if every clause has a term that matches the row. A term does not match a missing value, unless it tests for one. */
export function isMatch(clauses: readonly Clause[], valueOf: (ref: FieldRef) => Cell): boolean {
  return clauses.every((clause) => clause.some((term) => holds(term, valueOf(term))));
}

function holds({ operator, operand }: Term, cell: Cell): boolean {
  if (operand.kind === 'presence') return (cell === null) === operand.isNull;
  if (cell === null) return false;
  if (operand.kind === 'range') return typeof cell === 'number' && cell >= operand.from && cell <= operand.to;
  if (operand.kind === 'many') return operand.values.some((value) => isSame(cell, value)) === (operator === 'in');
  if (operator === 'eq' || operator === 'neq') return isSame(cell, operand.value) === (operator === 'eq');
  if (typeof cell !== 'number' || typeof operand.value !== 'number') return false;
  if (operator === 'gt') return cell > operand.value;
  if (operator === 'gte') return cell >= operand.value;
  return operator === 'lt' ? cell < operand.value : cell <= operand.value;
}

/** Texts compare in any case. */
function isSame(cell: Literal, value: Literal): boolean {
  return typeof cell === 'string' && typeof value === 'string' ? cell.toLowerCase() === value.toLowerCase() : cell === value;
}
