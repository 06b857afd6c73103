// Two snapshots of a little lake in the folder that is named, and what the vintages of each come to, as JSON: for readers of other languages to be held against.
import { join } from 'node:path';
import { openWriter, quote } from '../../src/db/connect.ts';
import { keptManifests } from '../../src/snapshot/manifest.ts';
import { fredMdFile, openPipeline } from '../pipeline.ts';

const [, , dataDir] = process.argv;
if (dataDir === undefined) throw new Error('Name a folder.');
const pipeline = await openPipeline({ dataDir });
await pipeline.run(fredMdFile('2020-05', { PAYEMS: { '2020-03': 100, '2020-04': 131 } }), '2021-01-01T00:00:00.000Z');
await pipeline.run(fredMdFile('2020-06', { PAYEMS: { '2020-04': 129, '2020-05': 132 } }), '2021-01-02T00:00:00.000Z');
const engine = await openWriter({ threads: 1, memory: '200MB', tempDirectory: join(dataDir, 'tmp'), tempSize: '1GB' });
const snapshots = [];
for (const { snapshotId, knowledgeCutoff, resources } of (await keptManifests(pipeline.paths)).toReversed()) {
  const files = resources.filter(({ table }) => table === 'vintages').map(({ path }) => quote(join(pipeline.paths.root, path)));
  const rows = await engine.connection.runAndReadAll(
    `select period, vintage, value from read_parquet([${files.join(', ')}]) order by period, vintage, value`,
  );
  snapshots.push({ snapshotId, knowledgeCutoff, rows: rows.getRows() });
}
engine.close();
process.stdout.write(`${JSON.stringify(snapshots)}\n`);
