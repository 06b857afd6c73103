// One night as a process of its own: the folder of all state, the payloads, the moment. Ends with 1 and the error in one line where it fails.
import { DiskError } from '../../src/disk/disk-error.ts';
import { openPipeline } from '../pipeline.ts';
import { lastNight } from './nights.ts';

const [dataDir = '', mirror = '', now = ''] = process.argv.slice(2);
try {
  await lastNight(await openPipeline({ dataDir }), mirror, Number(now));
  process.stdout.write('done\n');
} catch (error) {
  const { name, message } = error as Error;
  process.stdout.write(`${error instanceof DiskError ? 'DiskError' : name}: ${message}\n`);
  process.exitCode = 1;
}
