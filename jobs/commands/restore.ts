import { type CommonOptions, command, inFolder, main, openBench } from '../command.ts';
import { restore } from '../keeping/restore.ts';

const program = command(
  'restore',
  'Restore a backup into an empty DATA_DIR. Every file is checked against its hash first. If one is damaged or missing, the command names it and restores nothing.',
  'DATA_DIR=/srv/asof npm run restore -- /mnt/backups/2026-11-22',
)
  .argument('<folder>', 'the backup')
  .action(async (folder: string, options: CommonOptions) => {
    const { config, print } = openBench(options);
    const list = await restore(folder, config.dataDir);
    const { files, ...told } = list;
    print(
      `${files.length.toLocaleString('en-US')} files restored into ${config.dataDir}: snapshot ${list.snapshotId ?? '(none)'}, as of ${list.createdAt}. To serve it: ${inFolder(config.dataDir, 'npm start')}`,
      { ...told, fileCount: files.length },
    );
  });

await main(program, { kept: 'The backup is unchanged, and DATA_DIR is empty again.' });
