import { publish } from '../../src/snapshot/build/publish.ts';
import { snapshotPaths } from '../../src/snapshot/manifest.ts';
import { writeCurrentFeeds } from '../feeds.ts';
import { type CommonOptions, command, main, openBench } from '../command.ts';

const program = command('publish', 'Verify the candidate snapshot and make it current.', 'npm run publish')
  .option(
    '--accept-loss',
    'publish although the candidate lost a source, a table or more than half of the vintages of the current snapshot',
  )
  .action(async (options: CommonOptions & { readonly acceptLoss?: boolean }) => {
    const bench = openBench(options);
    const lake = await bench.workspace.openLake();
    try {
      const report = await publish(snapshotPaths(bench.workspace.dataDir), bench.workspace.snapshotsKept, {
        isLossAccepted: options.acceptLoss === true,
      });
      const text = report.isNew ? `${report.snapshotId} is current.` : `${report.snapshotId} was already current; nothing changed.`;
      const feeds = await writeCurrentFeeds(bench.workspace);
      if (feeds.problem !== null) process.exitCode = 1;
      const lines = [`${text} Kept: ${report.keptSnapshots.join(', ')}.`, ...(feeds.problem === null ? [] : [feeds.problem])];
      bench.print(lines.join('\n'), { ...report, feeds });
    } finally {
      await lake.close();
    }
  });

await main(program, { kept: 'The current snapshot and the candidate are intact.' });
