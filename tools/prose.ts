// The rates of the prose in README.md and docs/, as a table. Fails on long sentences and banned turns, also in help texts and in the messages of the code,
// and on pages over their budget of words.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { marked, type Token, type Tokens } from 'marked';
import { codeFiles, type Literal, messagesOf } from './messages.ts';

const ROOT = join(import.meta.dirname, '..');
const LONGEST = 35;

/** The word budget of a page; the default is 1,500. */
const BUDGETS: Readonly<Record<string, number>> = {
  'README.md': 900,
  'docs/develop/contributing.md': 2000,
  'docs/reference/sources.md': 5000,
};
const BUDGET = 1500;
/** A reader decides by the README, so it also has a budget of lines. */
const MOST_LINES: Readonly<Record<string, number>> = { 'README.md': 120 };
/** Written by programs, from texts with their own tests. */
const GENERATED = new Set(['docs/reference/interface.md', 'docs/reference/tables.md']);

/** Banned turns, each with the better word. */
const BANNED: readonly (readonly [RegExp, string])[] = [
  [/\banew\b/i, 'again, or: rebuilds'],
  [/\bis to be had\b|\bcannot be had\b|\bto be had\b/i, 'is available'],
  [/\bis held beside\b|\bheld beside\b/i, 'compared with'],
  [/\btaken? away\b|\btakes away\b/i, 'deletes'],
  [/\bsays so\b|\band says so\b/i, 'reports it'],
  [/\bat any moment of\b/i, 'at any time during'],
  [/\bas if nothing had\b/i, 'the result is the same'],
  [/\bbears? (?:a|the|no)\b/i, 'has'],
  [/\bmust not be to\b|\bnobody is to\b/i, 'you need not'],
  [/\bthat which\b|\bthose of which\b|\bof which nothing\b/i, 'a noun'],
];

export interface Prose {
  /** Of paragraphs and list items. */
  readonly sentences: readonly string[];
  /** Cells of tables, which are short: they have the same limit, but do not count in the mean. */
  readonly cells: readonly string[];
}

/** The sentences of Markdown, without code, addresses, headings and the parts that a program writes between markers. */
export function proseOf(markdown: string): Prose {
  const tokens = marked.lexer(markdown.replaceAll(/<!-- ([\w:-]+) -->[\s\S]*?<!-- \/\1 -->/g, ''));
  const [tables, others] = [tokens.filter(isTable), tokens.filter((token) => !isTable(token))];
  return { sentences: others.flatMap(textsOf).flatMap(sentencesOf), cells: tables.flatMap(cellsOf).flatMap(sentencesOf) };
}

const isTable = (token: Token): boolean => token.type === 'table';
const cellsOf = (token: Token) => (token as Tokens.Table).rows.flat().map((cell) => plain(cell.tokens));
const countOf = (sentences: readonly string[]) => sentences.reduce((sum, sentence) => sum + wordsOf(sentence).length, 0);

function textsOf(token: Token): readonly string[] {
  switch (token.type) {
    case 'paragraph':
    case 'text':
      return [plain((token as Tokens.Paragraph).tokens ?? [token])];
    case 'blockquote':
      return (token as Tokens.Blockquote).tokens.flatMap(textsOf);
    case 'list':
      return (token as Tokens.List).items.flatMap((item) => item.tokens.flatMap(textsOf));
    case 'table':
      return cellsOf(token);
    default:
      return [];
  }
}

/** A span of code counts as one word; a link as its text. */
function plain(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'codespan') return 'CODE';
      if (token.type === 'image') return '';
      if ('tokens' in token && token.tokens !== undefined) return plain(token.tokens);
      return token.type === 'br' ? ' ' : 'text' in token ? String(token.text) : '';
    })
    .join('');
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** A full stop before a small letter, as after "e.g.", is no end; neither is a colon before a list. */
function sentencesOf(text: string): readonly string[] {
  return [...segmenter.segment(text.replaceAll(/\s+/g, ' '))].map(({ segment }) => segment.trim()).filter((one) => wordsOf(one).length > 0);
}

function wordsOf(sentence: string): readonly string[] {
  return sentence.split(/[\s/—–]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
}

/** A rate per 1,000 words. */
const RATES: Readonly<Record<string, RegExp>> = {
  what: /\bwhat\b/gi,
  'told/says': /\b(?:told|tells|tell|says|said)\b/gi,
  where: /\bwhere\b/gi,
  you: /\byou(?:r|rs)?\b/gi,
};

export interface Rates {
  readonly words: number;
  readonly mean: number;
  readonly rates: Readonly<Record<string, number>>;
}

export function ratesOf(pages: readonly Prose[]): Rates {
  const sentences = pages.flatMap((page) => page.sentences);
  const all = pages.flatMap((page) => [...page.sentences, ...page.cells]);
  const words = countOf(all);
  const rates = Object.entries(RATES).map(([name, turn]) => [
    name,
    (1000 * all.reduce((sum, sentence) => sum + (sentence.match(turn)?.length ?? 0), 0)) / Math.max(1, words),
  ]);
  return { words, mean: countOf(sentences) / Math.max(1, sentences.length), rates: Object.fromEntries(rates) as Record<string, number> };
}

/** Faults of one page, one line each. */
export function faultsOf(page: Prose, budget: number): readonly string[] {
  const sentences = [...page.sentences, ...page.cells];
  const words = countOf(sentences);
  return [
    ...sentences
      .filter((sentence) => wordsOf(sentence).length > LONGEST)
      .map((sentence) => `a sentence of ${wordsOf(sentence).length} words; split it: ${sentence}`),
    ...BANNED.flatMap(([turn, better]) =>
      page.sentences
        .filter((sentence) => turn.test(sentence))
        .map((sentence) => `"${turn.exec(sentence)?.[0]}"; write "${better}": ${sentence}`),
    ),
    ...(words > budget ? [`${words} words; the budget is ${budget}`] : []),
  ];
}

/** Each is the page of its package. */
const CLIENTS = ['python', 'r', 'typescript'];

function pagesOf(): readonly string[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  return ['README.md', ...CLIENTS.map((name) => `clients/${name}/README.md`), ...docs.toSorted().map((name) => `docs/${name}`)];
}

/** The sentences of a command's help: its paragraphs, and the text of each option. */
export function proseOfHelp(help: string): Prose {
  const parts = help.split(/\n(?=\s*\n)|\n(?= {2}\S)/).filter((part) => !part.trim().startsWith('npm '));
  // A list of names in brackets is no sentence.
  return { sentences: parts.map((part) => part.replaceAll(/\([^)]*\)/g, '')).flatMap(sentencesOf), cells: [] };
}

/** The sentences of a message or a page text. A list in brackets is no sentence, and an address is one word. */
export function proseOfMessage({ text }: Literal): Prose {
  const plainText = text.replaceAll(/\([^)]*\)/g, '').replaceAll(/\/[\w./{}-]+/g, 'CODE');
  return { sentences: plainText.split(/(?<=[.!?]) /), cells: [] };
}

/** Names of countries, not sentences. */
const TABLES = new Set(['src/sources/readers/outlook-countries.ts']);

function messageFaults(): readonly string[] {
  return codeFiles()
    .filter((file) => !TABLES.has(file))
    .flatMap((file) =>
      messagesOf(readFileSync(join(ROOT, file), 'utf8')).flatMap((message) =>
        faultsOf(proseOfMessage(message), BUDGET).map((fault) => `${file}:${message.line}: ${fault}`),
      ),
    );
}

/** The --help output of each command. One process at a time, because each uses a whole core. */
async function helps(): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const name of readdirSync(join(ROOT, 'jobs/commands')).toSorted()) {
    const program = join(ROOT, 'jobs/commands', name);
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program, '--help'], { cwd: ROOT });
    found.set(`${name.replace('.ts', '')} --help`, stdout);
  }
  return found;
}

async function main(): Promise<number> {
  const line = (name: string, { words, mean, rates }: Rates) =>
    [
      name.padEnd(34),
      String(words).padStart(6),
      mean.toFixed(1).padStart(6),
      ...Object.values(rates).map((rate) => rate.toFixed(1).padStart(10)),
    ].join('');
  console.log(['page'.padEnd(34), ' words', '  mean', ...Object.keys(RATES).map((name) => name.padStart(10))].join(''));
  const written: Prose[] = [];
  const faults: string[] = [];
  for (const page of pagesOf()) {
    const text = readFileSync(join(ROOT, page), 'utf8');
    const prose = proseOf(text);
    console.log(line(page, ratesOf([prose])));
    if (GENERATED.has(page)) continue;
    written.push(prose);
    faults.push(...faultsOf(prose, BUDGETS[page] ?? BUDGET).map((fault) => `${page}: ${fault}`));
    const [lines, most] = [text.trimEnd().split('\n').length, MOST_LINES[page] ?? Infinity];
    if (lines > most) faults.push(`${page}: ${lines} lines; the budget is ${most}`);
  }
  console.log(line('all but generated pages', ratesOf(written)));
  for (const [name, help] of await helps()) faults.push(...faultsOf(proseOfHelp(help), BUDGET).map((fault) => `${name}: ${fault}`));
  faults.push(...messageFaults());
  for (const fault of faults) console.error(fault);
  return faults.length === 0 ? 0 : 1;
}

if (process.argv[1] === import.meta.filename) process.exitCode = await main();
