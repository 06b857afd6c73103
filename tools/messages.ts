// The texts in the code that a person reads: messages, help, labels of pages. Found by reading the literals of a source file, without running it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A literal of the code; an expression in a template is `…`. */
export interface Literal {
  readonly text: string;
  readonly line: number;
}

// After one of these a slash begins a regular expression, not a division.
const BEFORE_PATTERN = /(?:[(,=:[!&|?{};+>]|\breturn|\btypeof|\bcase|^)\s*$/;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t' };

/** Strings and templates in their order; strings that are added to each other are one. */
export function literalsOf(source: string): readonly Literal[] {
  const found: { text: string; line: number; end: number }[] = [];
  let at = 0;
  let line = 1;

  const skipTo = (end: number): void => {
    line += source.slice(at, end).split('\n').length - 1;
    at = end;
  };
  const readString = (quote: string): void => {
    const last = found.at(-1);
    const isAdded = last !== undefined && /^\s*\+\s*$/.test(source.slice(last.end, at));
    const one = isAdded ? last : { text: '', line, end: at };
    if (!isAdded) found.push(one);
    at += 1;
    while (at < source.length && source[at] !== quote) {
      const char = source[at] ?? '';
      if (char === '\\') {
        const escaped = source[at + 1] ?? '';
        one.text += ESCAPES[escaped] ?? escaped;
        skipTo(at + 2);
      } else if (quote === '`' && source.startsWith('${', at)) {
        at += 2;
        readCode('}');
        one.text += '…';
      } else {
        one.text += char;
        skipTo(at + 1);
      }
    }
    at += 1;
    one.end = at;
  };
  // Up to the brace that closes an expression, or to the end of the file.
  const readCode = (until: '}' | null): void => {
    let depth = 0;
    while (at < source.length) {
      const char = source[at] ?? '';
      if (source.startsWith('//', at)) skipTo(endOr(source.indexOf('\n', at)));
      else if (source.startsWith('/*', at)) skipTo(endOr(source.indexOf('*/', at) + 2));
      else if (char === '"' || char === "'" || char === '`') readString(char);
      else if (char === '/' && BEFORE_PATTERN.test(source.slice(Math.max(0, at - 40), at))) skipTo(endOfPattern(source, at));
      else {
        if (char === '{') depth += 1;
        if (char === '}') depth -= 1;
        skipTo(at + 1);
        if (until !== null && depth < 0) return;
      }
    }
  };
  const endOr = (end: number): number => (end < at ? source.length : end);
  readCode(null);
  return found.map(({ text, line: begin }) => ({ text, line: begin }));
}

function endOfPattern(source: string, from: number): number {
  let isInClass = false;
  for (let at = from + 1; at < source.length; at++) {
    const char = source[at];
    if (char === '\\') at += 1;
    else if (char === '\n') return from + 1;
    else if (char === '[') isInClass = true;
    else if (char === ']') isInClass = false;
    else if (char === '/' && !isInClass) return at + 1;
  }
  return from + 1;
}

const SQL = /\b(?:select|insert into|create (?:or replace )?(?:table|view|macro)|copy|attach|pragma|drop table|from published)\b/;

/** Literals with words between blanks, but for queries. Tags are parted from the text of a page. */
export function messagesOf(source: string): readonly Literal[] {
  return literalsOf(source)
    .filter(({ text }) => !SQL.test(text))
    .flatMap(({ text, line }) => text.split(/<[^<>]*>/).map((part) => ({ text: part.replaceAll(/\s+/g, ' ').trim(), line })))
    .filter(({ text }) => /\p{L}{2,} \p{L}{2,}/u.test(text));
}

/** Files whose literals a person may read. */
export function codeFiles(): readonly string[] {
  const root = join(import.meta.dirname, '..');
  return ['jobs', 'src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|js)$/.test(name))
      .map((name) => `${folder}/${name}`)
      .toSorted(),
  );
}
