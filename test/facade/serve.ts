// The sample, its service and the facade for clients of another language; prints their addresses and a key as one line of JSON, ends with its input.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSample } from '../../jobs/sample/build.ts';
import { readConfig } from '../../src/config.ts';
import { realEffects } from '../../src/effects.ts';
import { serveFacade } from '../../src/facade/server.ts';
import { serve } from '../../src/http/server.ts';
import { issueKey, keyFile } from '../../src/keys/key-store.ts';
import { openService } from '../../src/service.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'asof-facade-'));
const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' });
const effects = realEffects(config.logLevel, 2);
await buildSample(dataDir, config, effects);
const { key } = await issueKey(keyFile(dataDir), { label: 'facade', tier: 'full', scopes: ['data:read'] }, effects.now(), true);
const service = await openService(config, effects);
await service.store.follow();
const at = { host: '127.0.0.1', port: 0 };
const served = await serve(service.app, at, effects.now);
const url = `http://127.0.0.1:${served.port}`;
const facade = await serveFacade({ url, key, now: effects.now }, at);
process.stdout.write(`${JSON.stringify({ url, facade: `http://127.0.0.1:${facade.port}`, key })}\n`);
process.stdin.resume();
process.stdin.once('end', () => {
  void (async () => {
    await facade.close();
    await served.stop(0);
    await service.close();
    await rm(dataDir, { recursive: true, force: true });
    process.exit(0);
  })();
});
