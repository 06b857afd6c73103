// Converts between the text of a filter and the clauses of the builder. This handles only the syntax; the service checks the content.

export const OPERATORS = [
  { id: 'gt', label: 'is above' },
  { id: 'gte', label: 'is at least' },
  { id: 'lt', label: 'is below' },
  { id: 'lte', label: 'is at most' },
  { id: 'eq', label: 'is' },
  { id: 'neq', label: 'is not' },
  { id: 'between', label: 'is between' },
  { id: 'in', label: 'is one of' },
  { id: 'nin', label: 'is none of' },
  { id: 'is', label: 'is there' },
];

export const MODIFIERS = {
  prev: 'previous period',
  chg1: 'change from the previous period',
  chg12: 'change over twelve months',
  yoy: 'change over a year, %',
  rank: 'rank among all',
  pct: 'percentile among all',
  z3y: 'z-score over three years',
  age_days: 'age in days',
};

const SINGLE = new Set(['gt', 'gte', 'lt', 'lte', 'eq', 'neq']);

/** The parts between unescaped separators; null if a `\` precedes a character that it cannot escape. */
function split(text, separator) {
  const parts = [''];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '\\') {
      const escaped = text[at + 1] ?? '';
      if (escaped === '' || !';|,:\\'.includes(escaped)) return null;
      parts[parts.length - 1] += sign + escaped;
      at += 1;
    } else if (sign === separator) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts;
}

const unescaped = (text) => text.replaceAll(/\\([\s\S])/g, '$1');
const escaped = (text) => text.replaceAll(/[;|,:\\]/g, '\\$&');

/**
 * → { clauses } or { problem } if the builder cannot show the text. A clause is a list of terms, one of which must match: { field, modifier, operator,
 * operand }. modifier is '' for none. operand: an unescaped value; for `in` and `nin` values separated by commas, escaped as in the text; for `between` `a..b`;
 * for `is` `null` or `notnull`.
 */
export function parseClauses(text) {
  if (text.trim() === '') return { clauses: [] };
  const clauses = [];
  const parts = split(text, ';');
  if (parts === null) return { problem: 'a \\ that escapes nothing' };
  for (const part of parts) {
    const terms = split(part, '|').map(parseTerm);
    const bad = terms.find(({ problem }) => problem !== undefined);
    if (bad !== undefined) return bad;
    clauses.push(terms);
  }
  return { clauses };
}

function parseTerm(text) {
  const parts = split(text, ':');
  if (parts.length !== 3) return { problem: `“${text}” is not field:operator:value` };
  const [name, operator, operand] = parts;
  const [field, modifier = '', ...more] = name.split('@');
  if (field === '' || more.length > 0 || /[\\,]/.test(name)) return { problem: `unknown field “${name}”` };
  if (name.includes('@') && !Object.hasOwn(MODIFIERS, modifier)) return { problem: `unknown modifier @${modifier}` };
  if (!OPERATORS.some(({ id }) => id === operator)) return { problem: `unknown operator “${operator}”` };
  const problem = operandProblem(operator, operand);
  return problem === null ? { field, modifier, operator, operand: SINGLE.has(operator) ? unescaped(operand) : operand } : { problem };
}

function operandProblem(operator, operand) {
  if (operator === 'is') return operand === 'null' || operand === 'notnull' ? null : '“is” takes null or notnull';
  if (operator === 'between') return operand.split('..').length === 2 ? null : '“between” takes a..b';
  return SINGLE.has(operator) && split(operand, ',').length > 1 ? `“${operator}” takes one value` : null;
}

/** The text of clauses, without incomplete terms. */
export function printClauses(clauses) {
  return clauses
    .map((terms) => terms.filter(isWhole).map(printTerm).join('|'))
    .filter((clause) => clause !== '')
    .join(';');
}

/** The id of the field with this name or id; otherwise the text, as an id that nobody knows yet. */
export function fieldCalled(text, fields) {
  const wanted = text.trim();
  return fields.find(({ label }) => label.toLowerCase() === wanted.toLowerCase())?.field ?? wanted;
}

/** Words of names that mean the same here. */
const SAME_WORDS = { annual: 'year', yearly: 'year', monthly: 'month', quarterly: 'quarter', weekly: 'week', daily: 'day' };
const SMALL_WORDS = new Set(['and', 'the', 'for', 'from', 'all', 'per']);

/** The words of a name or an id, in the singular. */
function wordsOf(text) {
  const words = text.toLowerCase().match(/[\p{L}\d]{3,}/gu) ?? [];
  return new Set(words.filter((word) => !SMALL_WORDS.has(word)).map((word) => SAME_WORDS[word] ?? word.replace(/(?<=[^s]{2})s$/, '')));
}

/** The fields whose names share the most words with a text, best first. */
export function nearestFields(text, fields, most = 3) {
  const wanted = wordsOf(text);
  const scored = fields.map((field) => {
    const words = wordsOf(field.label);
    const shared = [...wanted].filter((word) => words.has(word)).length;
    return { field, score: shared === 0 ? 0 : (2 * shared) / (wanted.size + words.size) };
  });
  const found = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  return found.slice(0, most).map(({ field }) => field);
}

/** True if a term is complete. */
export function isWhole({ field, operator, operand }) {
  if (field === '' || operand === '') return false;
  return operator !== 'between' || /^[^.].*\.\..+$/s.test(operand) || /^\.\d.*\.\..+$/s.test(operand);
}

function printTerm({ field, modifier, operator, operand }) {
  return `${field}${modifier === '' ? '' : `@${modifier}`}:${operator}:${SINGLE.has(operator) ? escaped(operand) : operand}`;
}

/** The operand of a term after a change of its operator: keeps the valid part. */
export function operandFor(operator, operand) {
  if (operator === 'is') return operand === 'null' ? 'null' : 'notnull';
  const plain = operand === 'null' || operand === 'notnull' ? '' : operand;
  const [first = ''] = plain.split('..');
  if (operator === 'between') return `${first}..`;
  return first;
}
