// A command that reads one payload of the source named by its argument, in the thread that commands use.
import { Command } from 'commander';
import { main } from '../../jobs/command.ts';
import { openReadingThread } from '../../jobs/reading/payload-reader.ts';
import { sources } from './slow-sources.ts';

const program = new Command('read').argument('<source>').action(async (id: string) => {
  const [source] = sources.filter((one) => one.id === id);
  if (source === undefined) throw new Error(`no source ${id}`);
  const reader = openReadingThread({ registry: import.meta.resolve('./slow-sources.ts') });
  process.stdout.write('ready\n');
  const payload = { key: 'payload', body: new Uint8Array(10), retrievedAt: '2026-01-05T00:00:00.000Z' };
  for await (const batch of reader.batches(source, payload)) process.stdout.write(`${batch.kind}\n`);
});

await main(program, { kept: 'Nothing was kept.' });
