// The methods of the Python client with typed keyword arguments: which questions it has, and their signatures from the description.

type Json = Readonly<Record<string, unknown>>;

/** A method of the client. Its body calls a function of `_frames.py`, or the client's own `table`, with the parameters by their names of the service. */
interface Method {
  readonly name: string;
  readonly path: string;
  readonly doc: string;
  /** Arguments before the keywords: the service's name, its name in Python, and its default if it has one. */
  readonly first: readonly (readonly [parameter: string, argument: string, fallback?: string])[];
  /** Parameters that the method sets itself, or that make no sense for its result. */
  readonly without?: readonly string[];
  readonly sends?: Readonly<Record<string, string>>;
  /** Names in Python that differ from the service's. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Keywords of the client itself: a signature, and its sentence. */
  readonly own?: Readonly<Record<string, readonly [signature: string, sentence: string]>>;
  readonly returns: string;
  /** `parameters` is the dictionary of what goes to the service. */
  readonly body: string;
}

const INDICATOR = [['indicator_id', 'indicator']] as const;
/** A named indicator needs no filter of the catalogue. */
const OF_CATALOGUE = ['indicator', 'currency', 'type', 'importance', 'freshness'];
const PRINTS = ['vintage', 'release_number'];
const BY = [
  'by: Literal["date", "release"] = "date"',
  'date: a column for each moment of knowledge. release: a column for each print, from 1.',
] as const;

const METHODS: readonly Method[] = [
  {
    name: 'panel',
    path: '/panels',
    doc: 'What was known of factors, for countries or entities, on each date: dates × (factor, country), or with `entities` × (factor, entity). Without `to`, it ends today. A date without any known value has no row. Stale values, names without a series and mixed units give a warning. `attrs` has as_of and the units: of each factor, or if it has several, of each column.',
    first: [
      ['factor', 'factors'],
      ['country', 'countries', 'None'],
    ],
    renamed: { entity: 'entities', from: 'from_' },
    own: {
      wide: ['wide: bool = True', 'False: a row for each value, with all fields of the service.'],
      qdf: [
        'qdf: bool = False',
        "True: rows in the long format of J.P. Morgan's JPMaQS, by default for each business day: real_date, cid, xcat, value, grading, eop_lag, mop_lag.",
      ],
    },
    returns: '"pandas.DataFrame"',
    body: 'panel_frame(self, parameters, wide=wide, qdf=qdf)',
  },
  {
    name: 'series',
    path: '/observations',
    doc: 'The value of each period known at `as_of` (without it, the newest), of one series. Of several sources you get the preferred one, with a warning that names the others. `attrs` has indicator, unit, source and as_of.',
    first: INDICATOR,
    without: [...OF_CATALOGUE, ...PRINTS, 'include_backfill'],
    returns: '"pandas.Series"',
    body: 'series_of(self, parameters)',
  },
  {
    name: 'first_prints',
    path: '/observations',
    doc: 'The first print of each period. Periods without one (loaded late, or with the first vintage of their series) are left out, with a warning; include_backfill=True returns their first vintages.',
    first: INDICATOR,
    without: [...OF_CATALOGUE, ...PRINTS],
    sends: { vintage: '"first"' },
    returns: '"pandas.Series"',
    body: 'series_of(self, parameters)',
  },
  {
    name: 'vintages',
    path: '/observations',
    doc: 'The triangle of one series: a row for each period. By date, a column for each moment at which a value became known, with the values known then; by release, the first, second, … print of each period.',
    first: INDICATOR,
    without: [...OF_CATALOGUE, ...PRINTS],
    sends: { vintage: '"all"' },
    own: { by: BY },
    returns: '"pandas.DataFrame"',
    body: 'triangle_of(self, parameters, by=by)',
  },
  {
    name: 'plot',
    path: '/observations',
    doc: 'Draws the vintages of one series, the newest in front, and returns the axes. It needs matplotlib.',
    first: INDICATOR,
    without: [...OF_CATALOGUE, ...PRINTS, 'include_backfill'],
    sends: { vintage: '"all"' },
    own: { ax: ['ax: Optional["Axes"] = None', 'Axes to draw on.'] },
    returns: '"Axes"',
    body: 'plot_of(self, parameters, ax)',
  },
  {
    name: 'series_table',
    path: '/observations',
    doc: 'Rows of observations, without pandas: by default the vintage of each period known at `as_of`.',
    first: INDICATOR,
    without: ['indicator'],
    returns: 'Table',
    body: 'self.table("/observations", None, **parameters)',
  },
  {
    name: 'revision_triangle',
    path: '/observations',
    doc: 'One row per period, without pandas. The columns `print1`, `print2`, … hold the prints as the service numbers them, up to `prints`. A print that does not exist yet is None. A ValueError if the filters select several series that differ in no shown field.',
    first: INDICATOR,
    without: [...OF_CATALOGUE, ...PRINTS],
    own: { prints: ['prints: int', 'Number of prints.'] },
    returns: 'Table',
    body: 'triangle_table(self, parameters, prints)',
  },
  {
    name: 'screen',
    path: '/public/screener',
    doc: 'Entities by a filter: a row for each, ranked, and a column for each field. `attrs["screener"]` counts the excluded ones by reason.',
    first: [['filter', 'filter', 'None']],
    returns: '"pandas.DataFrame"',
    body: 'screen_frame(self, parameters)',
  },
  {
    name: 'screen_table',
    path: '/public/screener',
    doc: 'The same as rows, without pandas; `values` has unit, period and trust of each field.',
    first: [['filter', 'filter', 'None']],
    returns: 'Table',
    body: 'self.table("/public/screener", None, **parameters)',
  },
  {
    name: 'companies',
    path: '/public/companies',
    doc: 'Companies with multiples and scores, as rows.',
    first: [],
    returns: 'Table',
    body: 'self.table("/public/companies", None, **parameters)',
  },
  {
    name: 'company',
    path: '/companies/{idOrLookup}/financials',
    doc: 'Statements of a company, by its ticker, CIK, LEI or identifier, as rows.',
    first: [['idOrLookup', 'company']],
    returns: 'Table',
    body: 'self.table("/companies/{idOrLookup}/financials", {"idOrLookup": company}, **parameters)',
  },
  {
    name: 'calendar',
    path: '/economic-calendar',
    doc: 'Releases of the economic calendar, as rows.',
    first: [],
    returns: 'Table',
    body: 'self.table("/economic-calendar", None, **parameters)',
  },
];

/** The client chooses forms, pages and orders itself; only a screen has columns of its own. */
const NEVER = new Set(['limit', 'cursor', 'format', 'sort', 'order']);

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: Json;
}

/** The module of the Python client with the methods. */
export function pythonMethods(description: Json): string {
  const { paths, components } = description as {
    paths: Record<string, { get: { parameters: Json[] } }>;
    components: { parameters: Record<string, Json>; schemas: Record<string, Json> };
  };
  const methods = METHODS.map((method) => {
    const all = (paths[method.path]?.get.parameters ?? []).map(
      (one) => referred(components.parameters, one) as unknown as Parameter & Json,
    );
    return methodOf(
      method,
      all.filter((one) => one['x-alias-of'] === undefined),
      components.schemas,
    );
  });
  return `# Made by tools/generate-clients out of the description: the questions of the client, with typed keyword arguments.
from __future__ import annotations

from typing import TYPE_CHECKING, Dict, Literal, Optional

from ._client import Client, Day, Moment, Texts
from ._frames import panel_frame, screen_frame, series_of, triangle_of
from ._plot import plot_of
from ._results import Table
from ._transport import Parameter
from ._triangle import triangle_table

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


class Questions(Client):
${methods.join('\n')}`;
}

function methodOf(method: Method, parameters: readonly Parameter[], schemas: Record<string, Json>): string {
  const { first, renamed = {}, own = {}, without = [], sends = {} } = method;
  const isScreen = method.path === '/public/screener';
  const places = new Map(first.map(([name, argument, fallback]) => [name, { argument, fallback }]));
  const kept = parameters.filter(({ name }) => !NEVER.has(name) && !without.includes(name) && (name !== 'columns' || isScreen));
  const keywords = kept.filter(({ name }) => !places.has(name)).toSorted((a, b) => rankOf(a) - rankOf(b));
  const argumentOf = ({ name }: Parameter) => places.get(name)?.argument ?? renamed[name] ?? name;
  const signature = [
    'self',
    ...first.map(([name, argument, fallback]) => {
      const parameter = kept.find((one) => one.name === name);
      if (parameter === undefined) throw new RangeError(`${method.path} has no parameter ${name}.`);
      const type = typeOf(parameter, schemas);
      return fallback === undefined ? `${argument}: ${type}` : `${argument}: Optional[${type}] = ${fallback}`;
    }),
    '*',
    ...Object.values(own).flatMap(([text]) => (isRequired(text) ? [text] : [])),
    ...keywords.map((one) => {
      const type = typeOf(one, schemas);
      return one.required && one.name !== 'to' ? `${argumentOf(one)}: ${type}` : `${argumentOf(one)}: Optional[${type}] = None`;
    }),
    ...Object.values(own).flatMap(([text]) => (isRequired(text) ? [] : [text])),
  ];
  const described = [...first.flatMap(([name]) => kept.filter((one) => one.name === name)), ...keywords].map(
    (one) => `        ${argumentOf(one)}: ${one.description.replaceAll('\\', '\\\\')}`,
  );
  const ownDescribed = Object.entries(own).map(([name, [, sentence]]) => `        ${name}: ${sentence}`);
  const sent = kept.filter((one) => one.in === 'query').map((one) => `            "${one.name}": ${argumentOf(one)},`);
  const set = Object.entries(sends).map(([name, value]) => `            "${name}": ${value},`);
  return `    def ${method.name}(
${signature.map((one) => `        ${one},`).join('\n')}
    ) -> ${method.returns}:
        """
        ${method.doc}

${[...described, ...ownDescribed].join('\n')}
        """
        parameters: Dict[str, Parameter] = {
${[...sent, ...set].join('\n')}
        }
        return ${method.body}
`;
}

const isRequired = (signature: string) => !signature.includes('=');

/** Required ones come first, then the knowledge cutoff, then those of the description in its order. */
const rankOf = ({ name, required }: Parameter) => (required ? 0 : name === 'as_of' ? 1 : 2);

function typeOf({ description, schema }: Parameter, schemas: Record<string, Json>): string {
  const { $ref } = schema;
  if ($ref === '#/components/schemas/DayOrInstant') return 'Moment';
  const {
    type,
    format,
    const: only,
    oneOf,
    allOf,
    enum: members,
  } = referred(schemas, schema) as {
    type?: string;
    format?: string;
    const?: string;
    oneOf?: Json[];
    allOf?: { enum?: string[] }[];
    enum?: string[];
  };
  const values = members ?? allOf?.[0]?.enum ?? oneOf?.map((one) => String(one['const'])) ?? (only === undefined ? undefined : [only]);
  if (values !== undefined) return `Literal[${values.map((one) => `"${one}"`).join(', ')}]`;
  if (type === 'integer') return 'int';
  if (type === 'boolean') return 'bool';
  if (format === 'date') return 'Day';
  return description.includes('separated by commas') ? 'Texts' : 'str';
}

function referred(components: Record<string, Json>, one: Json): Json {
  const { $ref } = one;
  return typeof $ref === 'string' ? referred(components, components[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}) : one;
}
