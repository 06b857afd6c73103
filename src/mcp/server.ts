// The Model Context Protocol over the service: eight questions as tools, guides as resources. Every answer names its cutoff.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/server';
import { type ServiceClient, ServiceError } from '../client/service.ts';
import { mostRows, type Result, toFailure, toResult } from './answer.ts';
import { momentIn, readInput, withoutNullArguments } from './input.ts';
import { tools } from './tools/index.ts';
import type { Tool } from './tools/tool.ts';

export interface Guide {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

export interface McpOptions {
  readonly service: ServiceClient;
  readonly guides: readonly Guide[];
  /** The maximum size of an answer in bytes. */
  readonly budget: number;
  readonly version: string;
}

const INSTRUCTIONS =
  'Macro and market data as it was known. Every tool takes as_of and returns the data as known at that moment. Every answer begins with its as_of. ' +
  'Do not use values of today for a past day. Look up names with find before you ask for a series. Rows are CSV lines under a header; fields that all rows share stand above it. ' +
  'A bare day in "known" means the end of that day, UTC. An answer that is cut gives the number of rows and the call for the rest.';

export function openMcpServer({ service, guides, budget, version }: McpOptions): McpServer {
  const server = new McpServer({ name: 'asof', version }, { instructions: INSTRUCTIONS });
  const connect = server.server.connect.bind(server.server);
  server.server.connect = (transport) => {
    const before = transport.onmessage;
    const onmessage: typeof before = (message, extra) => {
      withoutNullArguments(message);
      before?.(message, extra);
    };
    return connect(Object.assign(transport, { onmessage }));
  };
  for (const tool of tools) {
    const { name, title, description, input } = tool;
    const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
    // Clients get the schema unchanged, but the input is checked here: a refusal too has its cutoff and its budget.
    const inputSchema = { '~standard': { ...input['~standard'], validate: (value: unknown) => ({ value }) } };
    server.registerTool(name, { title, description, inputSchema, annotations }, (given: unknown) => answerOf(tool, given, service, budget));
  }
  for (const { name, title, text } of guides) {
    server.registerResource(name, `asof://guides/${name}`, { title, mimeType: 'text/markdown' }, (uri) => ({
      contents: [{ uri: uri.href, mimeType: 'text/markdown', text }],
    }));
  }
  return server;
}

async function answerOf(tool: Tool, given: unknown, service: ServiceClient, budget: number): Promise<Result> {
  const asOf = momentIn(given);
  const { data, problem } = readInput(tool.input, given);
  if (data === null) return toFailure(asOf, `bad_request: ${problem}`, budget);
  try {
    return toResult(await tool.answer(data, service, mostRows(budget)), budget);
  } catch (error) {
    if (error instanceof ServiceError) return toFailure(asOf, `${error.code}: ${error.message}`, budget);
    if (error instanceof RangeError) return toFailure(asOf, `too_many_rows: ${error.message}`, budget);
    throw error;
  }
}

/** The guides of a folder, by their first headings. */
export async function readGuides(folder: string): Promise<readonly Guide[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).toSorted();
  return Promise.all(
    names.map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8');
      return { name: file.replace(/\.md$/, ''), title: /^# (.+)$/m.exec(text)?.[1] ?? file, text };
    }),
  );
}
