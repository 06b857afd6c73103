import { type CommonOptions, command, main, openBench } from '../command.ts';
import { restore } from '../keeping/restore.ts';

const program = command(
  'restore',
  'Bring a backup back into an empty DATA_DIR. Every file is held against its hash before anything is written; one that is damaged or missing is named, and nothing is restored.',
  'DATA_DIR=/srv/asof npm run restore -- /mnt/backups/2026-11-22',
)
  .argument('<folder>', 'the backup')
  .action(async (folder: string, options: CommonOptions) => {
    const { config, print } = openBench(options);
    const list = await restore(folder, config.dataDir);
    const { files, ...told } = list;
    print(
      `${files.length.toLocaleString('en-US')} files restored into ${config.dataDir}: snapshot ${list.snapshotId ?? '(none)'}, as of ${list.createdAt}. Serve it with: npm start`,
      { ...told, fileCount: files.length },
    );
  });

await main(program, { kept: 'The backup is as it was, and DATA_DIR is empty again.' });
