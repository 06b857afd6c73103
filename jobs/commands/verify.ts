import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openScratch } from '../../src/disk/scratch.ts';
import { readClaims } from '../keeping/answer-file.ts';
import { type CommonOptions, command, main, openBench } from '../command.ts';
import { withProgress } from '../reporting/progress.ts';
import { type Verification, verify, type VerifiedRow } from '../keeping/verify.ts';
import { openReadingThread } from '../reading/payload-reader.ts';
import { openWorkspace } from '../workspace.ts';
import { KnownError } from '../../src/known-error.ts';

const program = command(
  'verify',
  'Recompute the observations of a saved answer, or one observation, from the raw archive, and name the payloads of each. Exit code 1 if one differs.',
  'npm run verify -- answer.json',
)
  .argument('<answer>', 'a file with an answer as JSON, or an observationId: obs_…')
  .action(async (asked: string, options: CommonOptions) => {
    const bench = openBench(options);
    const { config, effects } = bench;
    const claims = await readClaims(asked);
    const dataDir = [config.dataDir, join(config.dataDir, 'sample')].find((folder) => existsSync(join(folder, 'raw', 'payloads')));
    if (dataDir === undefined) throw new KnownError(`There is no raw archive in ${config.dataDir}. Set DATA_DIR to its folder.`);
    const scratch = await openScratch(join(config.scratchDir, 'verify'), effects.now);
    try {
      const work = openWorkspace({ ...config, dataDir: scratch.path }, openReadingThread());
      const verification = await withProgress(['read'], bench.isShown, (onProgress) =>
        verify(claims, {
          dataDir,
          work,
          sources: bench.sources,
          effects,
          onProgress: (sourceId, done, total) => onProgress('read', sourceId, done, total),
        }),
      );
      bench.print(textOf(verification), verification);
      if (!verification.agrees) process.exitCode = 1;
    } finally {
      await scratch.remove();
    }
  });

/** The maximum number of payloads and inputs shown for a row; --json has all. */
const SHOWN = 5;

function textOf({ rows, damaged, payloadsRead, agrees }: Verification): string {
  const agreeing = rows.filter((row) => row.agrees).length;
  const summary = `${agreeing} of ${rows.length} ${rows.length === 1 ? 'row agrees' : 'rows agree'} with the raw archive; ${payloadsRead} payloads were read.`;
  return [
    ...rows.map(rowText),
    ...damaged.map((path) => `${path} no longer has its hash: restore it from a backup. Its values cannot be verified.`),
    agrees ? summary : `${summary} THERE IS A DISAGREEMENT.`,
  ].join('\n\n');
}

function rowText({ observationId, kind, found, agrees, disagreements, payloads, inputs, steps }: VerifiedRow): string {
  const what =
    found === null ? '' : ` ${found.indicatorId} ${found.period}, vintage ${found.vintage}: ${found.value ?? found.valueText ?? 'null'}`;
  const shown = <One>(all: readonly One[], text: (one: One) => string) => [
    ...all.slice(0, SHOWN).map(text),
    ...(all.length > SHOWN ? [`  and ${all.length - SHOWN} more (--json has all)`] : []),
  ];
  return [
    `${agrees ? 'agrees' : 'DISAGREES'}  ${observationId}${what}${kind === 'computed' ? ' (computed, not stated by a publisher)' : ''}`,
    ...disagreements.map((text) => `  ✗ ${text}`),
    ...shown(
      payloads,
      ({ key, sha256, retrievedAt }) => `  payload ${key}  sha256 ${sha256}${retrievedAt === null ? '' : `  retrieved ${retrievedAt}`}`,
    ),
    ...shown(
      inputs,
      (input) => `  input ${input.observationId} ${input.indicatorId} ${input.period} ${input.vintage}: ${input.value ?? 'null'}`,
    ),
    ...steps.map((step, index) => `  ${index + 1}. ${step}`),
  ].join('\n');
}

await main(program, { kept: 'Nothing was changed.' });
