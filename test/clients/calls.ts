// usage: calls.ts FOLDER. Writes the description that is served at ASOF_URL there, and the example of each route as calls of the clients made from it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readDescription, type Operation } from '../http/description.ts';

const [folder = '.'] = process.argv.slice(2);
const { ASOF_URL: url = '' } = process.env;
const text = await (await fetch(`${url}/openapi.json`)).text();
const raw = JSON.parse(text) as { paths: Record<string, { get: { operationId: string; tags: string[] } }> };

type Value = string | number | boolean;

interface Call {
  readonly name: string;
  readonly route: string;
  readonly tag: string;
  readonly path: Readonly<Record<string, Value>>;
  readonly query: Readonly<Record<string, Value>>;
}

function callOf(operation: Operation): Call {
  const { searchParams } = new URL(operation.example, url);
  const typed = (name: string, value: string): Value => {
    const { type } = operation.parameters.find((one) => one.name === name)?.schema ?? {};
    if (type === 'integer' || type === 'number') return Number(value);
    return type === 'boolean' ? value === 'true' : value;
  };
  return {
    name: operation.name,
    route: operation.path,
    tag: raw.paths[operation.path]?.get.tags[0] ?? '',
    path: Object.fromEntries(operation.parameters.filter((one) => one.in === 'path').map((one) => [one.name, one.example ?? ''])),
    query: Object.fromEntries([...searchParams].map(([name, value]) => [name, typed(name, value)])),
  };
}

const calls = readDescription(text).operations.map(callOf);

const CHECK = `
const fetchWithKey = (request: Request) => { request.headers.set('x-api-key', process.env['ASOF_KEY'] ?? ''); return fetch(request); };
function check(name: string, status: number, answer: unknown): void {
  const rows = typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : answer;
  const isEmpty = Array.isArray(rows) ? rows.length === 0 : rows === undefined || rows === null || rows === '';
  if (status !== 200 || isEmpty) throw new Error(\`\${name} answered \${status} without rows\`);
}
`;

// Each answer is read as the one type that its client says it is: a field of it that is not there, or a second type, does not compile.
const USE = (call: Call, data: string) => {
  if (call.name === 'listObservations') return `${data}.data.map((row): string | null => row.observationId);`;
  if (call.name === 'screen') return `${data}.meta.screener.matched satisfies number;`;
  if (call.name === 'listEntities') return `${data}.data.map((row): 'country' | string => row.entityType);`;
  return '';
};

const sentBy = ({ path, query }: Call) => ({
  ...(Object.keys(path).length === 0 ? {} : { path }),
  ...(Object.keys(query).length === 0 ? {} : { query }),
});
const hasParameters = (call: Call) => Object.keys(sentBy(call)).length > 0;

const fetched = calls.map((call) => {
  const params = JSON.stringify(hasParameters(call) ? { params: sentBy(call) } : {});
  const parsed = call.route.endsWith('.txt') ? ", parseAs: 'text' as const" : '';
  return `{
  const { data, response } = await client.GET(${JSON.stringify(call.route)}, { ...${params}${parsed} });
  check(${JSON.stringify(call.name)}, response.status, data);
  if (data !== undefined) { ${USE(call, 'data')} }
}`;
});
const heyed = calls.map((call) => {
  const sent = JSON.stringify(sentBy(call));
  const parsed = call.route.endsWith('.txt') ? ", parseAs: 'text' as const" : '';
  return `{
  const { data, response } = await sdk.${call.name}({ client, ...${sent}${parsed} });
  check(${JSON.stringify(call.name)}, response?.status ?? 0, data);
  if (data !== undefined) { ${USE(call, 'data')} }
}`;
});

await mkdir(join(folder, 'fetch'), { recursive: true });
await mkdir(join(folder, 'hey'), { recursive: true });
await writeFile(join(folder, 'openapi.json'), text);
await writeFile(join(folder, 'calls.json'), JSON.stringify(calls));
await writeFile(
  join(folder, 'fetch/calls.ts'),
  `import createClient from 'openapi-fetch';
import type { paths } from './schema.ts';
${CHECK}
const client = createClient<paths>({ baseUrl: process.env['ASOF_URL'] ?? '', fetch: fetchWithKey });
${fetched.join('\n')}
console.log('openapi-typescript: ${calls.length} calls');
`,
);
await writeFile(
  join(folder, 'hey/calls.ts'),
  `import { createClient } from './client/client/index.ts';
import * as sdk from './client/sdk.gen.ts';
${CHECK}
const client = createClient({ baseUrl: process.env['ASOF_URL'] ?? '', auth: () => process.env['ASOF_KEY'] ?? '' });
void fetchWithKey;
${heyed.join('\n')}
console.log('@hey-api/openapi-ts: ${calls.length} calls');
`,
);
await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
await writeFile(
  join(folder, 'tsconfig.json'),
  JSON.stringify({
    compilerOptions: {
      strict: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      target: 'es2022',
      module: 'preserve',
      moduleResolution: 'bundler',
      allowImportingTsExtensions: true,
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: ['node'],
      typeRoots: [join(process.cwd(), 'node_modules/@types')],
    },
    include: ['fetch', 'hey'],
  }),
);
