// The macros of catalog.sql: questions by name over the views, with the rules that the server's own statements use.
import { quote } from '../../db/connect.ts';
import { filled, sqlText } from '../../db/query.ts';
import { OR_ASSUMED } from '../../model/trust.ts';

/** Macros that the named questions call. A macro comes after the macros that it calls. */
const RULES = [
  'macros/entities/is_national',
  'macros/is_scoring_tier',
  'macros/is_projection',
  'macros/print_day',
  'macros/scoring_reasons',
  'macros/freshness_status',
  'macros/is_in_force',
  'macros/entities/country_known_at',
  'macros/observation_id',
  'macros/asked_vintages',
  'macros/first_prints_over_time',
  'assumed/assumed_vintages',
  'macros/companies/ticker_holder',
  'catalog/moment_of',
  'catalog/indicator_names',
  'catalog/shown_series',
  'catalog/verdicts_over_time',
  'catalog/panel_dates',
] as const;

/** Macros that read the assumed vintages too. A better grade leaves these out. */
const OVER_TIME = ['newest_over_time', 'preferred_over_time'] as const satisfies readonly (keyof typeof OR_ASSUMED)[];

const QUESTIONS = ['as_of', 'panel', 'first_prints', 'month_ends', 'price_and_fundamentals'] as const;

/** Statements that create the macros over the views of some tables. None if a table that they read is missing. */
export function macroStatements(tables: readonly string[]): readonly string[] {
  const rules = [
    ...RULES.map((path) => sqlText(`${path}.sql`)),
    ...OVER_TIME.map((name) => filled(sqlText(`macros/${name}.sql`), OR_ASSUMED)),
  ];
  const questions = QUESTIONS.map((name) => ({ name, text: sqlText(`catalog/${name}.sql`) }));
  const all = [...rules, ...questions.map(({ text }) => text)];
  const read = new Set(all.flatMap((text) => [...text.matchAll(/\bpublished\.(\w+)/g)].map(([, table = '']) => table)));
  if (![...read].every((table) => tables.includes(table))) return [];
  return [
    ...rules.map(overViews),
    ...questions.flatMap(({ name, text }) => [overViews(text), `comment on macro table ${name} is ${quote(meaningOf(text))};`, '']),
  ];
}

/** The views have no schema. */
const overViews = (text: string): string => `${text.replaceAll(/\bpublished\./g, '').trimEnd()};\n`;

/** The comment at the begin of a file, as one line. */
function meaningOf(text: string): string {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('--'));
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^-- ?/, ''))
    .join(' ');
}
