// Writes docs/reference/interface.md from the descriptions of the routes: every route with its parameters, an example and the fields of its answer.
import { z } from 'zod';
import { type DescribedParameter, describeParameters } from '../src/http/description/described-parameters.ts';
import { type Definitions, type JsonSchema, outputSchema } from '../src/http/description/json-schema.ts';
import { boundTexts, bySection, RULES, typeText } from '../src/http/description/llms.ts';
import { bulkSentence, filledExample, openapiPath, schemasOf } from '../src/http/description/openapi.ts';
import { openRoutes } from '../src/http/open-routes.ts';
import { type AnyRoute, FORMATS, FREE_TIER_MONTHS } from '../src/http/route.ts';
import { about } from '../src/routes/about.ts';
import { routes } from '../src/routes/index.ts';

type Route = AnyRoute<never>;

const SERVICE = 'http://127.0.0.1:8080';

const HEAD = `# Interface

Each route has a heading. Below it you find its scope, an example request, its parameters and the fields of its answer. If several
routes return the same record, its fields stand under the first of them.

The examples answer on the sample. \`$KEY\` is [your key](../run/keys.md). The same descriptions make \`/openapi.json\`,
\`/llms-full.txt\` and the API reference of a running service.

See also [time and vintages](../use/guides/time.md) for \`as_of\`, [errors](errors.md) for each refusal, and
[rights](../use/guides/rights.md) for withheld values.
`;

/** The text for the present routes. */
export function interfaceDocument(): string {
  const all: readonly Route[] = [...openRoutes, ...routes];
  const { schemas, nameOf } = schemasOf(all);
  const records = Object.entries(schemas).filter(([, schema]) => schema['properties'] !== undefined);
  const owners = new Map<string, Route>();
  for (const route of all) {
    const answered = answeredBy(route);
    if (answered !== null && !owners.has(nameOf(answered))) owners.set(nameOf(answered), route);
  }
  const fieldsOf = (name: string) => fieldTable(name, schemas);
  const sections = bySection(all).map(([tag, members]) => {
    const described = members.map((route) => {
      const answered = answeredBy(route);
      const owned = answered !== null && owners.get(nameOf(answered)) === route ? fieldsOf(nameOf(answered)) : [];
      return [...routeText(route, answered === null ? null : nameOf(answered), schemas), ...owned].join('\n');
    });
    return [`## ${capital(tag)}\n`, `${sentenceOfTag(tag)}\n`, ...described].join('\n');
  });
  const others = records.filter(([name]) => !owners.has(name)).flatMap(([name]) => fieldsOf(name));
  return [
    HEAD,
    '## Rules of every route\n',
    ...RULES.map((rule) => `- ${rule}`),
    '\n## Routes\n',
    '| route | purpose |\n|---|---|',
    ...all.map((route) => `| [\`${titleOf(route)}\`](#${anchorOf(titleOf(route))}) | ${cell(route.summary)} |`),
    '',
    ...sections,
    '## Records inside others\n',
    'Fields of the answers above hold these records.\n',
    ...others,
  ]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
}

const answeredBy = (route: Route): z.ZodType | null => (route.kind === 'list' ? route.row : route.data);

const titleOf = (route: Route): string => `GET ${openapiPath(route)}`;

const recordTitle = (name: string): string => `Fields of ${name}`;

/** The anchor that GitHub and the pages give a heading. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 _-]/g, '')
    .replaceAll(' ', '-');

const sentenceOfTag = (tag: string): string => new Map<string, string>(Object.entries(about.tags)).get(tag) ?? `Routes of ${tag}.`;

function routeText(route: Route, record: string | null, schemas: Definitions): readonly string[] {
  const parameters = describeParameters(route).filter(({ aliasOf }) => aliasOf === null);
  const key = route.kind === 'open' ? '' : '-H "x-api-key: $KEY" ';
  return [
    `### \`${titleOf(route)}\`\n`,
    `${[route.summary, route.description, bulkSentence(route)].filter((part) => part !== undefined).join(' ')}\n`,
    `- Scope: ${route.kind === 'open' ? 'none; you need no key' : `\`${route.scope}\``}.`,
    `- Answer: ${answerText(route, record)}.`,
    `- Formats: ${formatsOf(route).join(', ')}.`,
    ...(route.kind !== 'open' && route.isHistory ? [`- A free key sees only the last ${FREE_TIER_MONTHS} months.`] : []),
    ...(route.kind === 'list' ? metaLines(route.meta, schemas) : []),
    `\n\`\`\`sh\ncurl ${key}'${SERVICE}${filledExample(route)}'\n\`\`\`\n`,
    ...(parameters.length === 0 ? [] : ['| parameter | type | meaning |\n|---|---|---|', ...parameters.map(parameterRow), '']),
  ];
}

function formatsOf(route: Route): readonly string[] {
  if (route.kind === 'open') return route.contentType === 'text/plain' ? ['text'] : ['json'];
  return route.kind === 'list' && route.isBulk ? FORMATS : ['json'];
}

function answerText(route: Route, record: string | null): string {
  if (record === null) return 'the document itself';
  return `${route.kind === 'list' ? 'a list of ' : ''}${linked(record)}`;
}

function metaLines(meta: Readonly<Record<string, z.ZodType>>, schemas: Definitions): readonly string[] {
  return fieldsIn(outputSchema(z.object(meta)).schema).map(
    ([name, field]) => `- \`meta.${name}\` (${typeOf(field, schemas)}): ${descriptionOf(field)}`,
  );
}

function parameterRow(parameter: DescribedParameter): string {
  const { pattern: _, maxLength, ...schema } = parameter.schema;
  const need = parameter.in === 'path' ? ', in the path' : parameter.isRequired ? ', required' : '';
  const bounds = boundTexts(schema).join(', ');
  const notes = [
    parameter.description,
    ...(bounds === '' ? [] : [`${capital(bounds)}.`]),
    ...(typeof maxLength === 'number' ? [`Up to ${maxLength} characters.`] : []),
    ...(parameter.aliases.length === 0 ? [] : [`Also ${parameter.aliases.map(code).join(', ')}.`]),
    ...(parameter.example === null ? [] : [`Example: ${code(String(parameter.example))}.`]),
  ];
  return `| ${code(parameter.name)}${need} | ${cell(typeOf(schema, {}))} | ${cell(notes.join(' '))} |`;
}

function fieldTable(name: string, schemas: Definitions): readonly string[] {
  const schema = schemas[name] ?? {};
  const said = schema['description'];
  const rows = fieldsIn(schema).map(([field, one]) => `| ${code(field)} | ${cell(typeOf(one, schemas))} | ${cell(descriptionOf(one))} |`);
  return [
    `#### ${recordTitle(name)}\n`,
    ...(typeof said === 'string' ? [`${said}\n`] : []),
    '| field | type | meaning |\n|---|---|---|',
    ...rows,
    '',
  ];
}

const fieldsIn = (schema: JsonSchema): readonly (readonly [string, JsonSchema])[] =>
  Object.entries<JsonSchema>(Object(schema['properties'] ?? {}));

const descriptionOf = ({ description }: JsonSchema): string => (typeof description === 'string' ? description : '');

/** Its text with a link for each record in it. */
function typeOf(schema: JsonSchema, schemas: Definitions): string {
  const text = typeText(schema, schemas).replaceAll(/\bstring, (?=date)/g, '');
  return text.replaceAll(/\b[A-Z]\w+/g, (word) => (schemas[word]?.['properties'] === undefined ? word : linked(word)));
}

const linked = (record: string): string => `[${record}](#${anchorOf(recordTitle(record))})`;
const code = (text: string): string => `\`${text}\``;
const cell = (text: string): string => text.replaceAll('|', '\\|');
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
