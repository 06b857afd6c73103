// Serves the sample on a free port for a client of another language; prints the address, the key and the folder as one line of JSON, ends with its input.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSample } from '../../jobs/sample/build.ts';
import { readConfig } from '../../src/config.ts';
import { realEffects } from '../../src/effects.ts';
import { serve } from '../../src/http/server.ts';
import { issueKey, keyFile } from '../../src/keys/key-store.ts';
import { openService } from '../../src/service.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'asof-conformance-'));
const config = readConfig({ DATA_DIR: dataDir, RATE_LIMIT_SCALE: '100000', LOG_LEVEL: 'error', PAGES: process.env['PAGES'] });
const effects = realEffects(config.logLevel, 2);
await buildSample(dataDir, config, effects);
const key = await issueKey(keyFile(dataDir), { label: 'conformance', tier: 'full', scopes: ['admin'] }, effects.now());
const service = await openService(config, effects);
await service.store.follow();
const served = await serve(service.app, { host: '127.0.0.1', port: 0 }, effects.now);
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${served.port}`, key: key.key, files: join(dataDir, 'sample') })}\n`);
process.stdin.resume();
process.stdin.once('end', () => {
  void (async () => {
    await served.stop(0);
    await service.close();
    await rm(dataDir, { recursive: true, force: true });
    process.exit(0);
  })();
});
