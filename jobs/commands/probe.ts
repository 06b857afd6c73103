import { type CommonOptions, command, main, openBench, withSources } from '../command.ts';
import { hasFailed, probe, probeText, recentlySent } from '../asking/probe.ts';
import { withProgress } from '../reporting/progress.ts';

const program = withSources(
  command(
    'probe',
    'Ask each publisher for one file, and compare the answer with the layout that the reader expects. Nothing is archived. Exit code 1 if an answer is not as expected.',
    'npm run probe\n  npm run probe -- --source ecb_fx,world_bank',
  ),
).action(async (options: CommonOptions) => {
  const bench = openBench(options);
  const sent = await recentlySent(bench.config.dataDir, new Date(bench.effects.now()).toISOString());
  const fetcher = bench.openFetcher(true);
  try {
    // By default, skip sources that come only from folders.
    const chosen = options.source === undefined ? bench.sources.filter(({ feed }) => feed !== undefined) : bench.sources;
    const probed = await withProgress(['probe'], bench.isShown, (onProgress) =>
      probe(chosen, fetcher, bench.workspace.reader, bench.effects, sent, (sourceId, done) =>
        onProgress('probe', sourceId, done, chosen.length),
      ),
    );
    bench.print(probeText(probed), probed);
    if (hasFailed(probed)) process.exitCode = 1;
  } finally {
    await fetcher.close();
  }
});

await main(program, { kept: 'Nothing was archived.' });
