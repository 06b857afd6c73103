import { type CommonOptions, command, main, openBench } from '../command.ts';
import { loadCurrent, loadedText } from '../sending/load.ts';
import { withProgress } from '../reporting/progress.ts';

const program = command(
  'load',
  'Load the current snapshot into the ClickHouse cluster of ENGINE_URL, which then answers screens and lists over many series. A nightly run does this if ENGINE_URL is set.',
  'ENGINE_URL=https://asof:secret@clickhouse.example:8443/asof npm run load',
).action(async (options: CommonOptions) => {
  const { config, workspace, effects, isShown, print } = openBench(options);
  const report = await withProgress(['load'], isShown, (onProgress) =>
    loadCurrent(config, workspace, { now: effects.now, onProgress: (done, total) => onProgress('load', 'files', done, total) }),
  );
  print(`${loadedText(report)} Held: ${report.keptSnapshots.join(', ')}.`, report);
});

await main(program, { kept: 'The cluster keeps its earlier snapshots; the new one stays invisible.' });
