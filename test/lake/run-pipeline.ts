// Runs all four steps in the folder named by the first argument over the payloads of the JSON file named by the second, with the clock at
// the third; waits for a line on its standard input before it begins, so that a test can have it ready.
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { openPipeline } from '../pipeline.ts';

const [dataDir = '', files = '', at = ''] = process.argv.slice(2);
const pipeline = await openPipeline({ dataDir });
const payloads = JSON.parse(readFileSync(files, 'utf8')) as Record<string, string>;
process.stdout.write('ready\n');
await once(process.stdin, 'data');
await pipeline.run(payloads, at);
process.stdout.write('done\n');
process.stdin.destroy();
