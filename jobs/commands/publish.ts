import { publish } from '../../src/snapshot/publish.ts';
import { snapshotPaths } from '../../src/snapshot/manifest.ts';
import { type CommonOptions, command, main, openBench } from '../command.ts';

const program = command('publish', 'Verify the candidate snapshot and make it current.', 'npm run publish')
  .option('--accept-loss', 'publish a candidate that lost a source, a table or more than half of its vintages against the current snapshot')
  .action(async (options: CommonOptions & { readonly acceptLoss?: boolean }) => {
    const bench = openBench(options);
    const lake = await bench.workspace.openLake();
    try {
      const report = await publish(snapshotPaths(bench.workspace.dataDir), bench.workspace.snapshotsKept, {
        isLossAccepted: options.acceptLoss === true,
      });
      const text = report.isNew ? `${report.snapshotId} is current.` : `${report.snapshotId} was current already: nothing changed.`;
      bench.print(`${text} Kept: ${report.keptSnapshots.join(', ')}.`, report);
    } finally {
      await lake.close();
    }
  });

await main(program, { kept: 'The snapshot that is current is whole, and so is a candidate that is not yet current.' });
