// tsx bench/holds.ts DATA_DIR [pattern]: the longest event-loop hold of each route, in every form, on a server of its own. It writes a key into DATA_DIR
// and revokes it. Needs Linux. No request may hold the loop for more than 50 ms.
import { parseArgs } from 'node:util';
import { issueKey, keyFile, revokeKey } from '../src/keys/key-store.ts';
import { routes } from '../src/routes/index.ts';
import { type Held, MOST_HELD_MS, openHolding } from './holding.ts';

const BULK_ROWS = 200_000;
const FORMS = ['csv', 'ndjson', 'arrow', 'parquet'] as const;

/** Each route by its example; a list by its largest page in each order, and as rows in each form. */
function questions(): readonly string[] {
  return routes.flatMap((route) => {
    if (route.kind !== 'list') return [route.example];
    const [path = '', text = ''] = route.example.split('?');
    const asked = (more: Readonly<Record<string, string>>, base = text) => {
      const query = new URLSearchParams(base);
      query.delete('limit');
      for (const [name, value] of Object.entries(more)) query.set(name, value);
      return `${path}?${query.toString()}`;
    };
    // A required parameter keeps the value of the example.
    const base = Object.values(route.query).some(({ schema }) => !schema.safeParse(undefined).success) ? text : '';
    const pages = route.sortable.flatMap((sort) => route.orders.map((order) => asked({ limit: '500', sort, order }, base)));
    const bulk = route.isBulk ? FORMS.map((format) => asked({ limit: String(BULK_ROWS), format }, base)) : [];
    return [route.example, asked({ limit: '500' }), ...pages, ...bulk];
  });
}

/** The list that has an item's identifiers. */
const LISTS: Readonly<Record<string, string>> = {
  '/events/{eventId}': '/events?limit=1',
  '/economic-calendar/{eventId}': '/economic-calendar?limit=1',
  '/provenance/observations/{observationId}': '/observations?limit=1',
};

type Fetch = (path: string) => Promise<Response>;

/** The question about an item or a company that this folder has. */
async function filledFrom(get: Fetch, question: string): Promise<string> {
  const first = async (list: string, field: string) => {
    const { data } = (await (await get(list)).json()) as { readonly data: readonly Readonly<Record<string, unknown>>[] };
    return String(data[0]?.[field]);
  };
  const [placeholder, field = ''] = /\{(\w+)\}/.exec(question) ?? [];
  if (placeholder !== undefined) return question.replace(placeholder, await first(LISTS[question] ?? '', field));
  return question.startsWith('/companies/')
    ? question.replace(/ZZSMB/, await first('/public/companies?sort=market_cap&order=desc&limit=1', 'cik'))
    : question;
}

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [dataDir, pattern = ''] = positionals;
  if (dataDir === undefined) throw new Error('Name a DATA_DIR: npx tsx bench/holds.ts DATA_DIR');
  const { key, issued } = await issueKey(keyFile(dataDir), { label: 'holds', tier: 'full', scopes: ['data:read', 'ops:read'] }, Date.now());
  const server = await openHolding(dataDir, key);
  const found: Held[] = [];
  let asked = '';
  try {
    for (const question of new Set(questions().filter((one) => new RegExp(pattern).test(one)))) {
      asked = await filledFrom(server.get, question);
      found.push(await server.held(asked, question));
    }
  } catch (error) {
    server.kill();
    const [code, signal] = await server.ended;
    throw new Error(`The server ended (${signal ?? code}) at ${asked}`, { cause: error });
  } finally {
    server.stop();
    await revokeKey(keyFile(dataDir), issued.keyId, Date.now());
  }
  print(found);
}

function print(found: readonly Held[]): void {
  const rows = found.toSorted((a, b) => b.cpuMs - a.cpuMs);
  process.stdout.write('| hold, cpu ms | hold, wall ms | answer ms | status | bytes | question |\n|---|---|---|---|---|---|\n');
  for (const { cpuMs, wallMs, ms, status, bytes, question } of rows)
    process.stdout.write(`| ${cpuMs.toFixed(1)} | ${wallMs.toFixed(1)} | ${ms.toFixed(0)} | ${status} | ${bytes} | ${question} |\n`);
  const over = rows.filter(({ cpuMs }) => cpuMs > MOST_HELD_MS);
  process.stdout.write(`\n${over.length} of ${rows.length} questions held the loop for more than ${MOST_HELD_MS} ms of processor time.\n`);
}

await main();
