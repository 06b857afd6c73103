// What PAGES says is what the service that is composed of it does.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { serve } from '../../src/http/server.ts';
import { openService } from '../../src/service.ts';
import { SILENT } from '../pipeline.ts';

it.each([
  ['on', 200],
  ['off', 404],
])('PAGES=%s answers /explore with %i', async (pages, status) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'asof-pages-'));
  const now = () => Date.parse('2026-11-21T08:00:00Z');
  const service = await openService(readConfig({ DATA_DIR: dataDir, PAGES: pages }), { now, log: SILENT });
  const served = await serve(service.app, { host: '127.0.0.1', port: 0 }, now);
  try {
    for (const path of ['/explore', '/docs', '/docs/use/guides/start', '/pages/names.json']) {
      expect([path, (await fetch(`http://127.0.0.1:${served.port}${path}`)).status]).toEqual([path, status]);
    }
  } finally {
    await served.stop(0);
    await service.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});
