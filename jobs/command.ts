// Shared by all commands: options, progress, output, exit codes.
import { writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import { type Config, readConfig } from '../src/config.ts';
import { reportOf } from '../src/disk/disk-error.ts';
import { interrupt } from '../src/disk/interruption.ts';
import { clock, type Effects, random, realEffects } from '../src/effects.ts';
import { type Fetcher, openFetcher } from '../src/fetch/fetcher.ts';
import { NO_PARTIALS, partialsIn } from '../src/fetch/partial.ts';
import { CONNECT_MS } from '../src/fetch/transfer.ts';
import { openDispatcher } from '../src/fetch/transfer.ts';
import { sources } from '../src/sources/index.ts';
import type { Source } from '../src/sources/source.ts';
import { type CommandName, called, inOwnWords } from '../src/called.ts';
import { openReadingThread } from './reading/payload-reader.ts';
import { outliveReaders, thereIsNo, withNearestChoice } from './reporting/words.ts';
import { openWorkspace, packageVersion, type Workspace } from './workspace.ts';
import { KnownError } from '../src/known-error.ts';

export interface CommonOptions {
  readonly json?: boolean;
  readonly source?: string;
}

export interface Bench {
  readonly config: Config;
  readonly workspace: Workspace;
  readonly effects: Effects;
  readonly sources: readonly Source[];
  /** Shows progress unless the output is for a machine. */
  readonly isShown: boolean;
  readonly print: (text: string, json: unknown) => void;
  /** The network as configured in the environment; `once`: sends each request once and stores nothing about it. */
  readonly openFetcher: (once?: boolean) => Fetcher;
}

/** Throws a KnownError that names the valid values. */
export function wholeNumber(option: string, given: string, from: number, to: number): number {
  if (!/^\d+$/.test(given) || Number(given) < from || Number(given) > to)
    throw new KnownError(`${option} must be a whole number from ${from} to ${to}, not ${given}.`);
  return Number(given);
}

/** Throws a KnownError that names the valid values. */
export function duration(option: string, given: string): number {
  const [, count, unit] = /^([1-9]\d{0,5})(s|m|h)$/.exec(given) ?? [];
  if (count === undefined)
    throw new KnownError(`${option} ${JSON.stringify(given)} is not a time. Write a number with s, m or h, e.g. 10m.`);
  return Number(count) * { s: 1000, m: 60_000, h: 3_600_000 }[unit as 's' | 'm' | 'h'];
}

export function command(name: CommandName, summary: string, example: string): Command {
  return new Command(called(name))
    .description(summary)
    .option('--json', 'print the report as JSON')
    .addHelpText('after', `\nExample:\n  ${inOwnWords(example)}\n\nState is kept in DATA_DIR (default ./data).`)
    .configureHelp({ helpWidth: 100 });
}

export function withSources(program: Command): Command {
  return program.option('--source <ids>', `only these sources, separated by commas (${sources.map((source) => source.id).join(', ')})`);
}

export function openBench(options: CommonOptions): Bench {
  const config = readConfig();
  const isJson = options.json === true;
  return {
    config,
    // The engine waits while forecasts are made.
    workspace: openWorkspace({ ...config, forecastThreads: config.engineThreads }, openReadingThread()),
    effects: realEffects(config.logLevel, 2),
    sources: chosen(options.source),
    isShown: !isJson,
    openFetcher: (once = false) => openNetwork(config, once),
    print: (text, json) => process.stdout.write(isJson ? `${JSON.stringify(json, null, 2)}\n` : `${inOwnWords(text)}\n`),
  };
}

function openNetwork({ dataDir, fetching: { contact, secrets, proxies } }: Config, once: boolean): Fetcher {
  return openFetcher({
    wire: {
      dispatcher: openDispatcher(CONNECT_MS, proxies),
      resolve: (url) => url,
      partials: once ? NO_PARTIALS : partialsIn(join(dataDir, 'raw', 'partial')),
      now: clock,
    },
    wait: (milliseconds) => pause(milliseconds),
    random,
    version: packageVersion(),
    contact,
    secrets,
    ...(once ? { mostAttempts: 1 } : {}),
  });
}

function chosen(ids: string | undefined): readonly Source[] {
  if (ids === undefined) return sources;
  return ids.split(',').map((id) => {
    const source = sources.find((candidate) => candidate.id === id.trim());
    if (source !== undefined) return source;
    throw new KnownError(
      thereIsNo(
        'source',
        id.trim(),
        sources.map((one) => one.id),
      ),
    );
  });
}

/** The state that an interrupted command leaves, as sentences, and the command that continues; by default the same one with its options. */
export interface Ending {
  readonly kept: string;
  readonly goOn?: string;
}

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/** Runs a command; a known error is one line and exit code 1, an unknown one its stack. A signal ends it with one line and 128 plus its number. */
export async function main(program: Command, ending: Ending): Promise<void> {
  outliveReaders();
  for (const one of [program, ...program.commands]) one.configureOutput({ outputError: (text, write) => write(withNearestChoice(text)) });
  const line = interruptionLine(program.name(), process.argv.slice(2), ending, folder());
  for (const [signal, code] of Object.entries(SIGNALS)) {
    process.on(signal, () =>
      interrupt(() => {
        try {
          // The progress bar holds back text written to the stream.
          writeSync(process.stderr.fd, process.stderr.isTTY ? `${SHOW_CURSOR}\n${line}\n` : `${line}\n`);
        } catch {
          // The reader has left.
        }
        process.exit(code);
      }),
    );
  }
  try {
    await program.parseAsync();
  } catch (error) {
    process.stderr.write(`${inOwnWords(reportOf(error))}\n`);
    process.exitCode = 1;
  }
}

// The progress bar hides it.
const SHOW_CURSOR = '\u001b[?25h';

export function interruptionLine(name: string, options: readonly string[], { kept, goOn }: Ending, dataDir: string): string {
  const again = options.length === 0 ? name.replace(/ --$/, '') : [name, ...options.map(quoted)].join(' ');
  return `Interrupted. ${kept} To continue: ${inOwnWords(inFolder(dataDir, goOn ?? again))}`;
}

/** A command as the reader types it: with DATA_DIR in front, unless that is the default. */
export function inFolder(dataDir: string, line: string): string {
  return dataDir === resolve('data') ? line : `DATA_DIR=${quoted(dataDir)} ${line}`;
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** DATA_DIR, or its default if the command will refuse the settings. */
function folder(): string {
  try {
    return readConfig().dataDir;
  } catch {
    return resolve('data');
  }
}
