import { type CommonOptions, command, main, openBench, withSources } from '../command.ts';
import { mendLake } from '../mend.ts';
import { normalise } from '../normalise.ts';
import { placeOf, withProgress } from '../reporting/progress.ts';
import { filesTable, sourcesTable } from '../reporting/report.ts';

const program = withSources(
  command('normalise', 'Read new payloads of the archive into the lake.', 'npm run normalise -- --source fred'),
).action(async (options: CommonOptions) => {
  const bench = openBench(options);
  const lake = await bench.workspace.openLake();
  try {
    await mendLake(lake, bench.workspace, bench.sources, bench.effects);
    const reports = await withProgress(['normalise'], bench.isShown, (onProgress) =>
      normalise(bench.sources, bench.workspace.archive, lake, bench.effects, {
        referenceDir: bench.workspace.referenceDir,
        codeRevision: bench.workspace.version,
        reader: bench.workspace.reader,
        onProgress: (sourceId, done, total, left) => onProgress('normalise', sourceId, done, total, placeOf(bench.sources, sourceId), left),
      }),
    );
    bench.print(`${filesTable(reports)}\n\n${sourcesTable(reports)}`, reports);
    if (reports.some((report) => report.status === 'failed')) process.exitCode = 1;
  } finally {
    await lake.close();
  }
});

await main(program, {
  kept: 'Committed rows of each source are kept; the current snapshot is unchanged.',
});
