import { type CommonOptions, command, main, openBench } from '../command.ts';
import { deriveAttempt } from '../derive.ts';
import { mendLake } from '../mend.ts';
import { withProgress } from '../progress.ts';
import { deriveTable } from '../report.ts';

const program = command(
  'derive',
  'Build a candidate snapshot from the lake: derived sets included, checks passed.',
  'npm run derive',
).action(async (options: CommonOptions) => {
  const bench = openBench(options);
  const lake = await bench.workspace.openLake();
  try {
    await mendLake(lake, bench.workspace, bench.sources, bench.effects);
    const report = await withProgress(['derive'], bench.isShown, (onProgress) =>
      deriveAttempt(lake, bench.workspace, bench.effects, (step, done, total) => onProgress('derive', step, done, total)),
    );
    bench.print(`${deriveTable(report)}\n\nCandidate ${report.snapshotId}; make it current with: npm run publish`, report);
  } finally {
    await lake.close();
  }
});

await main(program, { kept: 'What was computed is kept, and the snapshot that is current is as it was.' });
