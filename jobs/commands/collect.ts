import { resolve } from 'node:path';
import { refuseFutureLake } from '../clock.ts';
import { collect } from '../collect.ts';
import { type CommonOptions, command, main, openBench, withSources } from '../command.ts';
import { leftoversOf } from '../leftovers.ts';
import { withProgress } from '../reporting/progress.ts';
import { collectTable } from '../reporting/report.ts';

const program = withSources(
  command('collect', 'Archive the files of a folder of payloads, byte for byte.', 'npm run collect -- --mirror ../payloads'),
)
  .requiredOption('--mirror <folder>', 'the folder of payloads')
  .action(async (options: CommonOptions & { readonly mirror: string }) => {
    const bench = openBench(options);
    const lake = await bench.workspace.openLake();
    try {
      await refuseFutureLake(lake, bench.effects.now());
      const report = await withProgress(['collect'], bench.isShown, (onProgress) =>
        collect(bench.sources, bench.workspace.archive, resolve(options.mirror), bench.effects, (done, total, path) =>
          onProgress('collect', path, done, total),
        ),
      );
      const leftovers = await leftoversOf(report.unclaimed, bench.workspace.referenceDir);
      bench.print(collectTable(report, leftovers), { ...report, leftovers });
      if (report.files.some((file) => file.problem !== null)) process.exitCode = 1;
    } finally {
      await lake.close();
    }
  });

await main(program, { kept: 'Every archived file is complete; nothing else changed.' });
