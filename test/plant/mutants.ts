// Mutants: every small change of the code that a rule below makes. Nothing in a comment or a string changes.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';

export const KINDS = ['comparison', 'boolean', 'number', 'logic', 'join', 'order', 'condition'] as const;
export type Kind = (typeof KINDS)[number];

interface Change {
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
  /** The text in place of the characters from `start` to `end`. */
  readonly text: string;
}

export interface Mutant extends Change {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The line as it is, and with the change. */
  readonly before: string;
  readonly after: string;
  /** File, kind, line and its number among equal ones: the mutant keeps it if other lines of the file change. */
  readonly id: string;
}

/** All mutants of a file, in the order of the text. Throws if TypeScript cannot be parsed. */
export function mutantsOf(file: string, source: string): readonly Mutant[] {
  const changes = file.endsWith('.sql') ? changesOfSql(source) : changesOfTypeScript(source);
  const equal = new Map<string, number>();
  return changes
    .toSorted((a, b) => a.start - b.start)
    .map((change) => {
      const from = source.lastIndexOf('\n', change.start - 1) + 1;
      const until = source.indexOf('\n', change.end);
      const [head, tail] = [source.slice(from, change.start), source.slice(change.end, until < 0 ? source.length : until)];
      const before = (head + source.slice(change.start, change.end) + tail).trim();
      const after = (head + change.text + tail).trim();
      const name = JSON.stringify([file, change.kind, before, after]);
      const nth = equal.get(name) ?? 0;
      equal.set(name, nth + 1);
      return { ...change, file, line: source.slice(0, change.start).split('\n').length, before, after, id: `${name} ${nth}` };
    });
}

/** As many as asked for: the kinds in turn, as far as each lasts. Equal seeds draw equal mutants. */
export function drawMutants(mutants: readonly Mutant[], count: number, seed: string): readonly Mutant[] {
  const rank = ({ id }: Mutant) => createHash('sha256').update(`${seed} ${id}`).digest('hex');
  const ranked = mutants.map((mutant) => ({ mutant, rank: rank(mutant) })).toSorted((a, b) => (a.rank < b.rank ? -1 : 1));
  const turns = new Map<Kind, number>();
  return ranked
    .map(({ mutant }) => {
      const turn = turns.get(mutant.kind) ?? 0;
      turns.set(mutant.kind, turn + 1);
      return { mutant, turn };
    })
    .toSorted((a, b) => a.turn - b.turn)
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

/** Does the work while the file below `root` has the mutant, then restores the file, also after a failure. */
export async function withMutant<T>(root: string, { file, start, end, text }: Mutant, work: () => Promise<T>): Promise<T> {
  const path = join(root, file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(path, source.slice(0, start) + text + source.slice(end));
  try {
    return await work();
  } finally {
    writeFileSync(path, source);
  }
}

const TYPESCRIPT = new Map<string, readonly [Kind, string]>(
  Object.entries({
    '<': ['comparison', '<='],
    '<=': ['comparison', '<'],
    '>': ['comparison', '>='],
    '>=': ['comparison', '>'],
    '===': ['comparison', '!=='],
    '!==': ['comparison', '==='],
    '&&': ['logic', '||'],
    '||': ['logic', '&&'],
  }),
);

const METHODS = new Map<string, string>(
  Object.entries({
    min: 'max',
    max: 'min',
    find: 'findLast',
    findLast: 'find',
    findIndex: 'findLastIndex',
    findLastIndex: 'findIndex',
    indexOf: 'lastIndexOf',
    lastIndexOf: 'indexOf',
    some: 'every',
    every: 'some',
  }),
);

type Node = Readonly<Record<string, unknown>> & { readonly type: string; readonly start: number; readonly end: number };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

function changesOfTypeScript(source: string): readonly Change[] {
  const { program, errors } = parseSync('source.ts', source);
  if (errors[0] !== undefined) throw new Error(errors[0].message);
  const changes: Change[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) visit(one);
    if (!isNode(value) || value.type.startsWith('TSTypeAnnotation') || value.type === 'TSLiteralType') return;
    changes.push(...changesOfNode(source, value));
    for (const child of Object.values(value)) visit(child);
  };
  visit(program);
  return changes;
}

function changesOfNode(source: string, node: Node): readonly Change[] {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return changesOfOperator(source, node);
    case 'Literal':
      return changesOfLiteral(node);
    case 'IfStatement':
    case 'ConditionalExpression':
      return changesOfCondition(node);
    case 'CallExpression':
      return changesOfCall(node['callee']);
    default:
      return [];
  }
}

/** A branch without another one is never taken, otherwise the first of both always. */
function changesOfCondition({ test, alternate }: Node): readonly Change[] {
  if (!isNode(test)) return [];
  return [{ kind: 'condition', start: test.start, end: test.end, text: isNode(alternate) ? 'true' : 'false' }];
}

function changesOfOperator(source: string, node: Node): readonly Change[] {
  const [left, right, operator] = [node['left'], node['right'], String(node['operator'])];
  const replacement = TYPESCRIPT.get(operator);
  if (replacement === undefined || !isNode(left) || !isNode(right)) return [];
  // The operator is the last of its kind before the right side: between them are at most brackets and comments.
  const start = source.lastIndexOf(operator, right.start - 1);
  if (start < left.end) return [];
  return [{ kind: replacement[0], start, end: start + operator.length, text: replacement[1] }];
}

function changesOfLiteral({ value, start, end }: Node): readonly Change[] {
  if (typeof value === 'boolean') return [{ kind: 'boolean', start, end, text: String(!value) }];
  return typeof value === 'number' ? [{ kind: 'number', start, end, text: String(value + 1) }] : [];
}

function changesOfCall(callee: unknown): readonly Change[] {
  const property = isNode(callee) ? callee['property'] : undefined;
  if (!isNode(property) || property.type !== 'Identifier') return [];
  const text = METHODS.get(String(property['name']));
  return text === undefined ? [] : [{ kind: 'order', start: property.start, end: property.end, text }];
}

/** Comments, strings, names in quotes, parameters, words, numbers, and operators as long as they are. */
const SQL_TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$\w+|\{\{.*?\}\}|[a-z_]\w*|\d+(?:\.\d+)?(?:e[+-]?\d+)?|->>|->|=>|:=|<=|>=|<>|!=|==|\|\||<<|>>|::|[<>=()]/gi;

const SQL = new Map<string, readonly [Kind, string]>(
  Object.entries({
    '<': ['comparison', '<='],
    '<=': ['comparison', '<'],
    '>': ['comparison', '>='],
    '>=': ['comparison', '>'],
    '=': ['comparison', '!='],
    '!=': ['comparison', '='],
    '<>': ['comparison', '='],
    true: ['boolean', 'false'],
    false: ['boolean', 'true'],
    and: ['logic', 'or'],
    or: ['logic', 'and'],
    left: ['join', 'inner'],
    inner: ['join', 'left'],
    full: ['join', 'left'],
    semi: ['join', 'anti'],
    anti: ['join', 'semi'],
    asc: ['order', 'desc'],
    desc: ['order', 'asc'],
    where: ['condition', 'where true or'],
    having: ['condition', 'having true or'],
    qualify: ['condition', 'qualify true or'],
  }),
);

const SQL_FUNCTIONS = new Map<string, string>(
  Object.entries({
    min: 'max',
    max: 'min',
    min_by: 'max_by',
    max_by: 'min_by',
    arg_min: 'arg_max',
    arg_max: 'arg_min',
    argMin: 'argMax',
    argMax: 'argMin',
    first: 'last',
    last: 'first',
    first_value: 'last_value',
    last_value: 'first_value',
    least: 'greatest',
    greatest: 'least',
    lag: 'lead',
    lead: 'lag',
  }),
);

/** Sizes of types are no constants: `decimal(18, 3)`. */
const SIZED = new Set(['decimal', 'numeric', 'varchar', 'Decimal', 'FixedString', 'DateTime64']);

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly previous: string;
  readonly next: string;
  /** What stands before the innermost open bracket. */
  readonly caller: string;
  /** The `and` of a `between`. */
  readonly isOfBetween: boolean;
}

function changesOfSql(source: string): readonly Change[] {
  return tokensOf(source).flatMap((token) => {
    const change = changeOfWord(token) ?? changeOfNumber(token) ?? changeOfKeyword(token);
    return change === null ? [] : [{ kind: change[0], start: token.start, end: token.end, text: change[1] }];
  });
}

function tokensOf(source: string): readonly Token[] {
  const tokens = [...source.matchAll(SQL_TOKEN)]
    .map(({ 0: text, index }) => ({ text, start: index, end: index + text.length }))
    .filter(({ text }) => !/^(?:--|\/\*)/.test(text));
  // For each open bracket: its caller, and how many `between` wait for their `and`.
  const open = [{ caller: '', betweens: 0 }];
  return tokens.map((token, at) => {
    const [previous, next, word] = [tokens[at - 1]?.text ?? '', tokens[at + 1]?.text ?? '', token.text.toLowerCase()];
    if (word === '(') open.push({ caller: previous, betweens: 0 });
    if (word === ')' && open.length > 1) open.pop();
    const within = open.at(-1) ?? { caller: '', betweens: 0 };
    const isOfBetween = word === 'and' && within.betweens > 0;
    if (isOfBetween) within.betweens -= 1;
    if (word === 'between') within.betweens += 1;
    return { ...token, previous, next, caller: within.caller, isOfBetween };
  });
}

/** A function, or the place of nulls. */
function changeOfWord({ text, previous, next }: Token): readonly [Kind, string] | null {
  const call = next === '(' ? SQL_FUNCTIONS.get(text) : undefined;
  if (call !== undefined) return ['order', call];
  if (previous.toLowerCase() !== 'nulls') return null;
  return text === 'first' ? ['order', 'last'] : text === 'last' ? ['order', 'first'] : null;
}

function changeOfNumber({ text, caller }: Token): readonly [Kind, string] | null {
  return /^\d/.test(text) && !SIZED.has(caller) ? ['number', String(Number(text) + 1)] : null;
}

function changeOfKeyword({ text, next, caller, isOfBetween }: Token): readonly [Kind, string] | null {
  const found = SQL.get(text);
  if (found === undefined || isOfBetween) return null;
  if (found[0] === 'join' && next !== 'join') return null;
  // `read_csv(…, header = true)` sets an option.
  return text === '=' && caller.startsWith('read_') ? null : found;
}
