// usage: postman.ts FOLDER DESCRIPTION. Imports the description as Postman does and asks every request of the collection: each answers 200 with rows.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';

const [folder = '.', description = ''] = process.argv.slice(2);
const { ASOF_URL: url = '', ASOF_KEY: key = '' } = process.env;

const Pair = z.object({ key: z.string(), value: z.string(), disabled: z.boolean().optional() });
const Request = z.object({
  url: z.object({ path: z.array(z.string()), query: z.array(Pair).default([]), variable: z.array(Pair).default([]) }),
});
interface Item {
  readonly name: string;
  readonly item?: readonly Item[] | undefined;
  readonly request?: z.infer<typeof Request> | undefined;
}
const Item: z.ZodType<Item> = z.object({ name: z.string(), item: z.lazy(() => z.array(Item)).optional(), request: Request.optional() });
const Converted = z.object({ result: z.literal(true), output: z.array(z.object({ data: z.object({ item: z.array(Item) }) })).min(1) });

type Convert = (input: object, options: object, done: (error: unknown, converted: unknown) => void) => void;
const converter = createRequire(join(folder, 'package.json'))('openapi-to-postmanv2') as { convertV2: Convert };

async function collection(enableOptionalParameters: boolean): Promise<readonly Item[]> {
  const data = await readFile(description, 'utf8');
  const converted = await new Promise((resolve, reject) => {
    const options = { parametersResolution: 'Example', enableOptionalParameters };
    converter.convertV2({ type: 'string', data }, options, (error, result) => (error ? reject(error) : resolve(result)));
  });
  return Converted.parse(converted).output[0]?.data.item ?? [];
}

const requestsOf = (items: readonly Item[]): readonly Item[] =>
  items.flatMap((one) => (one.item === undefined ? [one] : requestsOf(one.item)));

function addressOf({ url: { path, query, variable } }: z.infer<typeof Request>): string {
  const filled = path.map((part) =>
    part.startsWith(':') ? encodeURIComponent(variable.find((one) => one.key === part.slice(1))?.value ?? '') : part,
  );
  const sent = new URLSearchParams(query.filter((one) => one.disabled !== true).map((one) => [one.key, one.value] as [string, string]));
  return `/${filled.join('/')}${sent.size === 0 ? '' : `?${sent.toString()}`}`;
}

async function faultOf(address: string): Promise<string | null> {
  const response = await fetch(url + address, { headers: { 'x-api-key': key } });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const body: unknown = isJson ? JSON.parse(text) : { data: text };
  const { data = body } = Object(body);
  const isEmpty = Array.isArray(data) ? data.length === 0 : data === '';
  return response.status === 200 && !isEmpty
    ? null
    : `${address} answers ${response.status}${isEmpty ? ' without rows' : `: ${text.slice(0, 200)}`}`;
}

const requests = requestsOf(await collection(false)).flatMap(({ request }) => (request === undefined ? [] : [addressOf(request)]));
const faults: string[] = [];
for (const address of requests) {
  const fault = await faultOf(address);
  if (fault !== null) faults.push(fault);
}
if (requests.length === 0 || faults.length > 0) throw new Error(`of ${requests.length} requests:\n${faults.join('\n')}`);
process.stdout.write(`openapi-to-postmanv2: ${requests.length} requests, each with rows\n`);
