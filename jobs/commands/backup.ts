import { type CommonOptions, command, main, openBench } from '../command.ts';
import { backup } from '../keeping/backup.ts';
import { packageVersion } from '../workspace.ts';

const program = command(
  'backup',
  'Copy the raw archive, the lake, the current snapshot, keys, grants and the secret of cursors into an empty folder, each with its hash. Servers and runs may be at work.',
  'npm run backup -- /mnt/backups/2026-11-22',
)
  .argument('<folder>', 'where to: empty, or not there yet; it holds keys and is made for its owner alone')
  .action(async (folder: string, options: CommonOptions) => {
    const { config, effects, print } = openBench(options);
    const list = await backup(config.dataDir, folder, { now: effects.now, version: packageVersion() });
    const bytes = list.files.reduce((sum, file) => sum + file.bytes, 0);
    const { files, ...told } = list;
    print(
      `${files.length.toLocaleString('en-US')} files, ${bytes.toLocaleString('en-US')} bytes: snapshot ${list.snapshotId ?? '(none)'}, lake up to commit ${list.lakeCommit}. Bring them back with: npm run restore -- ${folder}`,
      { ...told, fileCount: files.length, bytes },
    );
  });

await main(program, { kept: 'Nothing of DATA_DIR was changed, and the folder of the backup is empty again.' });
