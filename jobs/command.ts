// What every command shares: options, progress, output, exit codes.
import { Command } from 'commander';
import { type Config, ConfigError, readConfig } from '../src/config.ts';
import { diskErrorOf } from '../src/disk/disk-error.ts';
import { OpenFilesError } from '../src/disk/open-files.ts';
import { type Effects, realEffects } from '../src/effects.ts';
import { KeyFileError } from '../src/keys/key-store.ts';
import { GrantFileError } from '../src/rights/grant-file.ts';
import { LakeLockedError } from '../src/lake/lake.ts';
import { LakeDamageError } from '../src/lake/ledger.ts';
import { sources } from '../src/sources/index.ts';
import { type Source, UpstreamError } from '../src/sources/source.ts';
import { SnapshotCheckError } from '../src/snapshot/build.ts';
import { SnapshotLossError } from '../src/snapshot/losses.ts';
import { SchemaVersionError, SnapshotDamageError } from '../src/snapshot/manifest.ts';
import { ClockError } from './clock.ts';
import { MirrorError } from './collect.ts';
import { NothingToReadError } from './nightly.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

export interface CommonOptions {
  readonly json?: boolean;
  readonly source?: string;
}

export interface Bench {
  readonly config: Config;
  readonly workspace: Workspace;
  readonly effects: Effects;
  readonly sources: readonly Source[];
  /** Progress is shown unless the report is for a machine. */
  readonly isShown: boolean;
  readonly print: (text: string, json: unknown) => void;
}

/** A mistake in how a command was called: shown as one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function command(name: string, summary: string, example: string): Command {
  return new Command(`npm run ${name} --`)
    .description(summary)
    .option('--json', 'print the report as JSON')
    .addHelpText('after', `\nExample:\n  ${example}\n\nState is kept in DATA_DIR (default ./data).`)
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
    workspace: openWorkspace(config),
    effects: realEffects(config.logLevel, 2),
    sources: chosen(options.source),
    isShown: !isJson,
    print: (text, json) => process.stdout.write(isJson ? `${JSON.stringify(json, null, 2)}\n` : `${text}\n`),
  };
}

function chosen(ids: string | undefined): readonly Source[] {
  if (ids === undefined) return sources;
  return ids.split(',').map((id) => {
    const source = sources.find((candidate) => candidate.id === id.trim());
    if (source === undefined) throw new UsageError(`There is no source ${id}. The sources are ${sources.map((one) => one.id).join(', ')}.`);
    return source;
  });
}

const KNOWN_ERRORS = [
  ClockError,
  ConfigError,
  GrantFileError,
  KeyFileError,
  LakeDamageError,
  LakeLockedError,
  MirrorError,
  NothingToReadError,
  OpenFilesError,
  SchemaVersionError,
  UpstreamError,
  SnapshotCheckError,
  SnapshotDamageError,
  SnapshotLossError,
  UsageError,
];

/** Runs a command; a known failure is one line and exit code 1, an unknown one its stack. */
export async function main(program: Command): Promise<void> {
  try {
    await program.parseAsync();
  } catch (error) {
    process.stderr.write(`${textOf(error)}\n`);
    process.exitCode = 1;
  }
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (KNOWN_ERRORS.some((kind) => error instanceof kind)) return error.message;
  return diskErrorOf(error)?.message ?? error.stack ?? error.message;
}
