// A backend for OpenBB Workspace: widgets.json and flat rows for each widget, below /openbb and, as of a day, below /at/<day>/openbb.
import { z } from 'zod';
import { everyPage, type ServiceClient } from '../../client/service.ts';
import { asked } from '../asked.ts';
import { JSON_TYPE, type Sent } from '../exchange.ts';
import { FacadeError, failureOf } from '../failure.ts';
import { calendar, TimeZone } from './calendar.ts';
import { cell, firstOf, flat, type FlatRow, rowsOf } from './rows.ts';

interface Parameter {
  readonly name: string;
  readonly label: string;
  readonly about: string;
  readonly type: 'text' | 'date' | 'number';
  /** Null: left empty. */
  readonly value: string | number | null;
  readonly options?: readonly string[];
  /** The form of a text, if it has one. */
  readonly form?: z.ZodType<string>;
}

interface Widget {
  readonly name: string;
  readonly about: string;
  readonly parameters: readonly Parameter[];
  /** In the order in which Workspace shows them. Workspace adds columns for other fields of the rows. */
  readonly columns: readonly string[];
  readonly rows: (service: ServiceClient, given: Given) => Promise<readonly FlatRow[]>;
}

type Given = Readonly<Record<string, string | undefined>>;

const MOST_ROWS = 5000;

const AS_OF: Parameter = {
  name: 'as_of',
  label: 'As of',
  about: 'What was known at the end of that day; leave empty for now',
  type: 'date',
  value: null,
};
const LIMIT: Parameter = {
  name: 'limit',
  label: 'Rows',
  about: `Number of newest rows, at most ${MOST_ROWS}`,
  type: 'number',
  value: 500,
};
const SERIES: readonly Parameter[] = [
  {
    name: 'indicator_id',
    label: 'Indicator',
    about: 'Indicator id, as the search of the service gives it',
    type: 'text',
    value: 'us_nonfarm_payrolls',
  },
  { name: 'source_id', label: 'Source', about: 'If several sources have it; leave empty for all', type: 'text', value: null },
];

const WIDGETS: Readonly<Record<string, Widget>> = {
  series: {
    name: 'Series as known',
    about: 'The values of a series as they were known at the end of a day, the newest period first.',
    parameters: [...SERIES, AS_OF, LIMIT],
    columns: [
      'periodEnd',
      'period',
      'actual',
      'unit',
      'observedAt',
      'vintage',
      'entity',
      'sourceId',
      'revised',
      'scoringEligible',
      'observationId',
    ],
    rows: (service, given) => observations(service, { ...given, sort: 'period_end', order: 'desc' }),
  },
  vintages: {
    name: 'Every vintage',
    about: 'All prints of a series: when each became known, and when the next replaced it.',
    parameters: [
      ...SERIES,
      { name: 'period', label: 'Period', about: 'Such as 2020-04 or 2020-Q2; leave empty for all', type: 'text', value: null },
      AS_OF,
      LIMIT,
    ],
    columns: ['periodEnd', 'period', 'actual', 'unit', 'observedAt', 'supersededAt', 'vintage', 'entity', 'sourceId', 'observationId'],
    rows: (service, given) => observations(service, { ...given, vintage: 'all', sort: 'observed_at', order: 'desc' }),
  },
  screener: {
    name: 'Screener',
    about: 'Countries or companies that pass a filter, ranked, as known on a day.',
    parameters: [
      {
        name: 'filter',
        label: 'Filter',
        about: 'field[@modifier]:operator:value, joined by ; (and) and | (or)',
        type: 'text',
        value: 'unemployment_rate:is:notnull',
      },
      {
        name: 'universe',
        label: 'Among',
        about: 'Screen countries or companies',
        type: 'text',
        value: 'countries',
        options: ['countries', 'companies', 'entities'],
      },
      { name: 'rank_by', label: 'Rank by', about: 'Such as unemployment_rate:desc', type: 'text', value: null },
      {
        name: 'eligible_only',
        label: 'Eligible alone',
        about: 'Treat stale and unofficial values as missing',
        type: 'text',
        value: 'true',
        options: ['true', 'false'],
      },
      AS_OF,
      LIMIT,
    ],
    columns: ['rank', 'name', 'entityId', 'country'],
    rows: screen,
  },
  calendar: {
    name: 'Economic calendar',
    about: 'Releases with actual, previous, revised previous and forecast, as the calendar stood on a day.',
    parameters: [
      {
        name: 'timezone',
        label: 'Time zone',
        about: 'IANA time zone of the local times and of the days From and To, such as America/New_York',
        type: 'text',
        value: 'UTC',
        form: TimeZone,
      },
      { name: 'start_date', label: 'From', about: 'First day; leave empty for the oldest', type: 'date', value: null },
      { name: 'end_date', label: 'To', about: 'Last day', type: 'date', value: null },
      { name: 'country', label: 'Country', about: 'Such as US; leave empty for all', type: 'text', value: null },
      { name: 'importance', label: 'Importance', about: 'high, medium or low; leave empty for all', type: 'text', value: null },
      AS_OF,
      LIMIT,
    ],
    columns: [
      'scheduledLocal',
      'scheduledAt',
      'timePrecision',
      'country',
      'title',
      'indicatorId',
      'importance',
      'status',
      'period',
      'actual',
      'previous',
      'revisedPrevious',
      'forecast',
      'unit',
    ],
    rows: calendar,
  },
  company: {
    name: 'Financial statements',
    about: 'Statement lines of a company, as filed or as last restated, newest period first.',
    parameters: [
      { name: 'company', label: 'Company', about: 'Ticker or CIK', type: 'text', value: 'AAPL' },
      {
        name: 'statement',
        label: 'Statement',
        about: 'Income statement, balance sheet or cash flow statement',
        type: 'text',
        value: 'income',
        options: ['income', 'balance_sheet', 'cash_flow'],
      },
      { name: 'period', label: 'Periods', about: 'Length', type: 'text', value: 'annual', options: ['annual', 'quarterly', 'ttm'] },
      {
        name: 'basis',
        label: 'Figures',
        about: 'As last restated or as first filed',
        type: 'text',
        value: 'most_recent',
        options: ['most_recent', 'as_reported'],
      },
      AS_OF,
      LIMIT,
    ],
    columns: [
      'periodEnd',
      'fiscalPeriod',
      'fiscalYear',
      'label',
      'value',
      'unit',
      'observedAt',
      'form',
      'accessionNumber',
      'restated',
      'key',
    ],
    rows: statements,
  },
  positions: {
    name: 'Positioning percentile',
    about: 'Net position of speculators in a contract, as a percentile of the last three years (Commitments of Traders).',
    parameters: [
      { name: 'contract', label: 'Contract', about: 'CFTC contract market code', type: 'text', value: '088691' },
      {
        name: 'report',
        label: 'Report',
        about: 'Legacy, or Traders in Financial Futures',
        type: 'text',
        value: 'legacy',
        options: ['legacy', 'tff'],
      },
      AS_OF,
      LIMIT,
    ],
    columns: ['periodEnd', 'percentile', 'net', 'weeklyChange', 'percentile1y', 'zScore3y', 'windowCount', 'observedAt', 'id'],
    rows: positions,
  },
};

/** The file that Workspace reads first: by id, each widget, its parameters and the address of its rows. */
function widgets(): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(WIDGETS).map(([id, { name, about, parameters, columns }]) => [
      id,
      {
        name,
        description: about,
        category: 'asof',
        type: 'table',
        endpoint: id,
        gridData: { w: 30, h: 14 },
        params: parameters.map(({ name: paramName, label, about: description, type, value, options }) => ({
          paramName,
          label,
          description,
          type,
          value,
          optional: value === null,
          ...(options === undefined ? {} : { options: options.map((one) => ({ label: one.replaceAll('_', ' '), value: one })) }),
        })),
        data: { table: { showAll: true, columnsDefs: columns.map((field) => ({ field, headerName: field })) } },
      },
    ]),
  );
}

/** @param path after /openbb */
export async function answerOpenbb(
  path: string,
  query: URLSearchParams,
  day: string | undefined,
  openService: () => ServiceClient,
): Promise<Sent> {
  try {
    return { status: 200, type: JSON_TYPE, body: JSON.stringify(await answerPath(openService, path, query, day)) };
  } catch (error) {
    const { status, message } = failureOf(error);
    return { status, type: JSON_TYPE, body: JSON.stringify({ error: message }) };
  }
}

async function answerPath(service: () => ServiceClient, path: string, query: URLSearchParams, day: string | undefined): Promise<unknown> {
  if (path === '/widgets.json') return widgets();
  // We define no dashboards. Workspace accepts an empty list.
  if (path === '/apps.json') return [];
  if (path === '' || path === '/') return { name: 'asof', widgets: 'widgets.json' };
  const widget = WIDGETS[path.slice(1)];
  if (widget === undefined || !Object.hasOwn(WIDGETS, path.slice(1)))
    throw new FacadeError(404, `Unknown widget ${path.slice(1, 60)}. The widgets are ${Object.keys(WIDGETS).join(', ')}.`);
  const given = asked(questionOf(widget), query);
  // If the clock stands at a day, a later as_of is reduced to that day.
  const as_of = day !== undefined && (given['as_of'] === undefined || given['as_of'] > day) ? day : given['as_of'];
  return widget.rows(service(), { ...given, as_of, api_key: undefined });
}

const Day = z.iso.date({ error: 'is not a day as YYYY-MM-DD' });

function questionOf({ parameters }: Widget): z.ZodObject<Record<string, z.ZodType<string | undefined>>> {
  const fieldOf = ({ name, type, value, options, form }: Parameter): z.ZodType<string | undefined> => {
    const text =
      options !== undefined
        ? z.enum(options as [string, ...string[]], { error: `is one of ${options.join(', ')}` })
        : type === 'date'
          ? Day
          : type === 'number'
            ? z
                .string()
                .regex(/^[1-9]\d{0,3}$/, `must be a number from 1 to ${MOST_ROWS}`)
                .refine((number) => Number(number) <= MOST_ROWS, `is more than ${MOST_ROWS}`)
            : (form ?? z.string().max(2000, 'is too long'));
    const isNeeded = name === 'indicator_id' || name === 'company' || name === 'contract';
    return value === null || isNeeded ? (isNeeded ? text : text.optional()) : text.default(String(value) as never);
  };
  return z.strictObject({ api_key: z.string().optional(), ...Object.fromEntries(parameters.map((one) => [one.name, fieldOf(one)])) });
}

async function observations(service: ServiceClient, { limit, ...given }: Given): Promise<readonly FlatRow[]> {
  const { rows } = await service.rows('/observations', { ...given, limit });
  const found: FlatRow[] = [];
  for await (const row of rows) found.push({ ...flat(row), entity: cell(row['country'] ?? row['instrumentId']) });
  const { indicator_id: id, source_id: source, period } = given;
  return known(found, [`value of ${id}`, source && `from ${source}`, period && `for ${period}`], given);
}

/** Refuses an unknown name. An empty table would look as if there were no data. */
function known(rows: readonly FlatRow[], what: readonly (string | undefined)[], { as_of }: Given): readonly FlatRow[] {
  if (rows.length > 0) return rows;
  const asOf = as_of === undefined ? '' : ` as of ${as_of}`;
  throw new FacadeError(404, `Not Found. No ${what.filter((part) => part !== undefined).join(' ')} is known${asOf}.`);
}

async function screen(service: ServiceClient, { limit, ...given }: Given): Promise<readonly FlatRow[]> {
  const rows = await firstOf(rowsOf(service, '/public/screener', given, Number(limit)), Number(limit));
  return rows.map(({ values, ...row }) => ({
    ...flat(row),
    ...Object.fromEntries(Object.entries(values as Record<string, { value: unknown }>).map(([field, { value }]) => [field, cell(value)])),
  }));
}

async function statements(service: ServiceClient, { limit, company = '', ...given }: Given): Promise<readonly FlatRow[]> {
  const path = `/companies/${encodeURIComponent(company)}/financials`;
  const { data } = await everyPage(service, path, { ...given, sort: 'period_end', order: 'desc' });
  return data
    .flatMap(({ lines, items: _items, ...statement }) =>
      (lines as Record<string, unknown>[]).map((line) => ({ ...flat(statement), ...flat(line) })),
    )
    .slice(0, Number(limit));
}

const PERCENTILES: Readonly<Record<string, string>> = { legacy: 'cot_positioning_percentile', tff: 'cot_tff_percentile' };

async function positions(service: ServiceClient, { limit, contract = '', report = '', as_of }: Given): Promise<readonly FlatRow[]> {
  const indicator_id = `cftc_${contract.toLowerCase()}_${PERCENTILES[report]}`;
  const question = { indicator_id, as_of, sort: 'period_end', order: 'desc' };
  const rows = await firstOf(rowsOf(service, '/derived-observations', question, Number(limit)), Number(limit));
  const found = rows.map(({ metadata, ...row }) => ({
    ...flat(row),
    ...flat(metadata as Record<string, unknown>),
    percentile: cell(row['valueNumeric']),
    periodEnd: String(row['periodEnd']).slice(0, 10),
  }));
  return known(found, [`percentile of contract ${contract} (${report})`], { as_of });
}
