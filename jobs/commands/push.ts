import { type CommonOptions, command, main, openBench } from '../command.ts';
import { withProgress } from '../reporting/progress.ts';
import { sendSnapshot, sentText } from '../sending/push.ts';

const program = command(
  'push',
  'Send the current snapshot and the grants to SNAPSHOT_URL, for replicas. A nightly run does this if SNAPSHOT_URL is set.',
  'SNAPSHOT_URL=s3://published/asof npm run push',
)
  .option('--replace', 'replace a snapshot that another machine published there')
  .option('--verify', 'read every object back, and resend damaged ones')
  .action(async (options: CommonOptions & { readonly replace?: boolean; readonly verify?: boolean }) => {
    const { config, workspace, effects, isShown, print } = openBench(options);
    const lake = await workspace.openLake();
    try {
      const report = await withProgress(['push'], isShown, (onProgress) =>
        sendSnapshot(config, {
          keep: config.snapshotsKept,
          now: effects.now(),
          isReplacing: options.replace === true,
          isVerifying: options.verify === true,
          onProgress: (done, total) => onProgress('push', 'files', done, total),
        }),
      );
      print(sentText(report), report);
    } finally {
      await lake.close();
    }
  });

await main(program, { kept: 'The store has either the previous or the new snapshot, complete.' });
