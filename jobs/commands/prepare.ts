// Prepares `npm start`: builds a sample if there are no data, and a key if there is none.
import { constants, existsSync } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { type Config, readConfig } from '../../src/config.ts';
import { realEffects } from '../../src/effects.ts';
import { writeDurably } from '../../src/disk/durable.ts';
import { issueKey, keyFile, newKeyFile, readKeys } from '../../src/keys/key-store.ts';
import { requireUniqueRows } from '../../src/lake/reference.ts';
import { tryPort } from '../../src/port.ts';
import { holdsData, schemaFault, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { called, inOwnWords } from '../../src/called.ts';
import { main } from '../command.ts';
import { STEPS } from '../nightly.ts';
import { withProgress } from '../reporting/progress.ts';
import { buildSample, hasSample } from '../sample/build.ts';
import { Command } from 'commander';
import { KnownError } from '../../src/known-error.ts';

const HELP = `
Settings come from the environment: DATA_DIR (default ./data), HOST and PORT (127.0.0.1:8080), and those in
docs/run/configure.md. Ctrl-C stops the server after it has answered open requests.

Example:
  PORT=8081 DATA_DIR=/srv/asof npm start`;

const program = new Command(called('start'))
  .description('Serve the data in DATA_DIR. An empty DATA_DIR first gets a generated sample and a developer key.')
  .configureHelp({ helpWidth: 100 })
  .addHelpText('after', inOwnWords(HELP))
  .option('--no-prepare', 'serve without writing anything first, for a DATA_DIR that is mounted read-only')
  .action(async ({ prepare }: { readonly prepare: boolean }) => {
    const config = readConfig();
    const effects = realEffects(config.logLevel, 2);
    requireUniqueRows(config.referenceDir);
    await tryPort(config);
    // A followed store has its own data and keys.
    if (!prepare || config.snapshotUrl !== null) return;
    const paths = snapshotPaths(config.dataDir);
    if (!existsSync(paths.pointer) && !(await holdsData(paths)) && !(await hasSample(config.dataDir))) {
      await mkdir(config.dataDir, { recursive: true });
      await access(config.dataDir, constants.W_OK);
      process.stdout.write('DATA_DIR has no data, so a small sample is made. It takes about a minute.\n');
      const { isNew, isRenewed, sources } = await withProgress(STEPS, true, (onProgress) =>
        buildSample(config.dataDir, { ...config, forecastThreads: config.engineThreads }, effects, onProgress),
      );
      const failed = sources.find((source) => source.error !== null);
      if (failed !== undefined) throw new KnownError(`The sample could not be built: ${failed.error}`);
      if (isNew) {
        process.stdout.write(
          inOwnWords(
            'The sample is ready. Its numbers are invented. To load real data:\n  npm run nightly -- --source eurostat,bis,ecb_fx,us_treasury,cftc_legacy,world_bank\n',
          ),
        );
      }
      if (isRenewed) process.stdout.write('Another release built the sample, so its snapshot was rebuilt from its lake.\n');
    }
    const fault = await schemaFault(paths);
    if (fault !== null)
      process.stdout.write(
        `${inOwnWords(fault.message)}\nUntil then the server cannot answer. The archive, the lake, keys and grants are unchanged.\n`,
      );
    await ensureKey(config, effects.now());
  });

async function ensureKey(config: Config, now: number): Promise<void> {
  const path = keyFile(config.dataDir);
  if (readKeys(path).length > 0) return;
  const { key } = await issueKey(path, { label: 'local developer', tier: 'full', scopes: ['data:read', 'ops:read'] }, now);
  // The server shows it when it listens, last of all, and removes this file.
  await writeDurably(newKeyFile(config.dataDir), `${key}\n`, 0o600);
}

await main(program, { kept: 'Finished parts of the sample are kept.', goOn: 'npm start' });
