// One server on the folder in which snapshots are made.
import { readConfig } from '../../src/config.ts';
import { serve } from '../../src/http/server.ts';
import { openService } from '../../src/service.ts';
import type { Deployment } from './deployment.ts';

export const folder: Deployment = {
  async open(dataDir, { now, log, environment }) {
    const { app, store, metrics, close } = await openService(readConfig({ ...environment, DATA_DIR: dataDir }), { now, log });
    await store.follow();
    const served = await serve(app, { host: '127.0.0.1', port: 0 }, now);
    return {
      port: served.port,
      metrics,
      follow: () => store.follow(),
      async stop() {
        await served.stop(0);
        await close();
      },
    };
  },
};
