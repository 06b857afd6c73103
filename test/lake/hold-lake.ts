// Opens the lake of the folder named by the first argument for writing, says so, and keeps it.
import { join } from 'node:path';
import { openLake } from '../../src/lake/lake.ts';

const dataDir = process.argv[2] ?? '';
await openLake(join(dataDir, 'lake'), { threads: 1, memory: '200MB', tempDirectory: join(dataDir, 'tmp'), tempSize: '1GB' });
process.stdout.write('open\n');
setInterval(() => undefined, 1000);
