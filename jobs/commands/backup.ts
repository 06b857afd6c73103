import { type CommonOptions, command, main, openBench } from '../command.ts';
import { backup } from '../keeping/backup.ts';
import { packageVersion } from '../workspace.ts';

const program = command(
  'backup',
  'Copy the raw archive, the lake, the current snapshot, keys, grants and the cursor secret into an empty folder, each with its hash. Servers and runs can continue meanwhile.',
  'npm run backup -- /mnt/backups/2026-11-22',
)
  .argument('<folder>', 'target folder, empty or new; only its owner can read it, because it holds keys')
  .action(async (folder: string, options: CommonOptions) => {
    const { config, effects, print } = openBench(options);
    const list = await backup(config.dataDir, folder, { now: effects.now, version: packageVersion() });
    const bytes = list.files.reduce((sum, file) => sum + file.bytes, 0);
    const { files, ...told } = list;
    print(
      `${files.length.toLocaleString('en-US')} files, ${bytes.toLocaleString('en-US')} bytes: snapshot ${list.snapshotId ?? '(none)'}, lake up to commit ${list.lakeCommit}. To restore: npm run restore -- ${folder}`,
      { ...told, fileCount: files.length, bytes },
    );
  });

await main(program, { kept: 'DATA_DIR is unchanged, and the backup folder is empty again.' });
