// A snapshot in a cluster: visible at once and whole, or not at all; once; as many as are kept.
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { piecesOf } from '../../src/disk/durable.ts';
import { ClusterError, openCluster, type ClusterConnection } from '../../src/engine/connection.ts';
import { loadSnapshot, type LoadOptions } from '../../src/engine/load.ts';
import { allRows, heldLoads, noteLoad, TABLES, tablesThere } from '../../src/engine/loads.ts';
import type { Manifest } from '../../src/model/manifest.ts';
import { openRelations, type Relations } from '../boundaries/by-hand/tables.ts';
import { drawLake, luckOf } from '../screener/draws.ts';
import { createScreened } from '../screener/screens-by-hand.ts';
import { type Cluster, NO_CLUSTER, startCluster } from './cluster.ts';
import { KnownError } from '../../src/known-error.ts';

const SHORT = { seconds: 60 };

describe.skipIf(NO_CLUSTER !== null)(`a load${NO_CLUSTER === null ? '' : ` (${NO_CLUSTER})`}`, () => {
  let server: Cluster;
  let cluster: ClusterConnection;
  let relations: Relations;
  let folder: string;
  let resources: readonly { readonly table: string; readonly path: string; readonly rowCount: number; readonly bytes: number }[];
  let now = Date.parse('2026-11-24T00:00:00.000Z');
  let drawn = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'asof-load-'));
    server = await startCluster();
    cluster = openCluster(server.url);
    relations = await openRelations();
    await createScreened(relations, drawLake(luckOf(3)));
    await relations.connection.run(
      "create or replace table published.series as select *, 'i' || series_no as indicator_id from published.series",
    );
    resources = await Promise.all(
      TABLES.map(async (table) => {
        const path = join(folder, `${table}.parquet`);
        await relations.connection.run(`copy published.${table} to '${path}' (format parquet)`);
        const [count] = await relations.rows(`select count(*) as n from '${path}'`);
        return { table, path, rowCount: Number(count?.['n']), bytes: (await stat(path)).size };
      }),
    );
  });
  afterAll(async () => {
    relations.close();
    await cluster.close();
    await server.stop();
    await rm(folder, { recursive: true });
  });

  const load = (snapshotId: string, options: Partial<LoadOptions> = {}, through = cluster, given = resources) =>
    loadSnapshot(through, { snapshotId, resources: given } as unknown as Manifest, {
      pathOf: ({ path }) => path,
      read: piecesOf,
      keep: 2,
      now: () => (now += 1000),
      random: () => ((drawn += 1) % 997) / 997,
      limits: { threads: 1, memory: '200MB', tempDirectory: folder, tempSize: '1GB' },
      ...options,
    });
  const held = async () => (await heldLoads(cluster, SHORT)).map((one) => one.snapshotId);
  const tables = async () => (await tablesThere(cluster, now, SHORT)).map((one) => one.name).toSorted();

  it('of an empty snapshot has no rows', async () => {
    expect(await held()).toEqual([]);
  });

  it('is visible with all of its rows, and a second one does nothing', async () => {
    const rows = resources.reduce((sum, one) => sum + one.rowCount, 0);
    expect(await load('snap_a')).toMatchObject({ isNew: true, rows, keptSnapshots: ['snap_a'] });
    expect(await held()).toEqual(['snap_a']);
    const before = await tables();
    expect(before).toHaveLength(TABLES.length);
    expect(await load('snap_a')).toMatchObject({ isNew: false, rows: 0 });
    expect(await tables()).toEqual(before);
    const [name] = before.filter((one) => one.startsWith('asof_vintages_'));
    const [[count] = []] = await allRows(cluster, { text: 'select count() from {t:Identifier}', parameters: { t: name ?? '' } }, SHORT);
    expect(count).toBe(resources.find((one) => one.table === 'vintages')?.rowCount);
  });

  it('that is interrupted at any request leaves nothing visible, and the next one completes', async () => {
    let left = 0;
    // Hangs up on the request of which it is the turn, and on all after it, as a cluster does that is gone.
    const proxy = createServer((request, response) => {
      left -= 1;
      if (left < 0) return void request.socket.destroy();
      const target = new URL(request.url ?? '', server.url.replace(/\/default$/, ''));
      void (async () => {
        const parts: Buffer[] = [];
        for await (const part of request) parts.push(part as Buffer);
        target.username = target.password = '';
        const answered = await fetch(target, {
          method: 'POST',
          body: Buffer.concat(parts),
          headers: { authorization: request.headers.authorization ?? '' },
        });
        const code = answered.headers.get('x-clickhouse-exception-code');
        response.writeHead(answered.status, code === null ? {} : { 'x-clickhouse-exception-code': code });
        response.end(Buffer.from(await answered.arrayBuffer()));
      })();
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const through = openCluster(server.url.replace(/@.*$/, `@127.0.0.1:${(proxy.address() as AddressInfo).port}/default`));
    try {
      // One list, then two a table, four sums, two for the row that makes it visible.
      for (const at of [0, 1, 2, 4, 8, 10, 13, 14]) {
        left = at;
        await expect(load('snap_b', {}, through), `request ${at}`).rejects.toBeInstanceOf(ClusterError);
        expect([at, await held()]).toEqual([at, ['snap_a']]);
      }
      left = 1000;
      expect(await load('snap_b', {}, through)).toMatchObject({ isNew: true });
      expect(await held()).toEqual(['snap_a', 'snap_b']);
    } finally {
      await through.close();
      proxy.closeAllConnections();
      proxy.close();
    }
  });

  it('drops the oldest loads with their tables beyond the kept number, and remains of loads interrupted a day ago', async () => {
    now += 2 * 86_400_000;
    expect(await load('snap_c')).toMatchObject({ keptSnapshots: ['snap_c', 'snap_b'] });
    expect(await held()).toEqual(['snap_b', 'snap_c']);
    expect(await tables()).toHaveLength(2 * TABLES.length);
  });

  it('that runs beside another one of the same snapshot makes one visible, complete', async () => {
    const outcomes = await Promise.all([load('snap_d'), load('snap_d')]);
    expect(outcomes.filter((one) => one.isNew).length).toBeGreaterThan(0);
    // A third clears up after both.
    await load('snap_d');
    expect(await held()).toEqual(['snap_c', 'snap_d']);
    expect(await tables()).toHaveLength(2 * TABLES.length);
  });

  it('is refused if the cluster differs from the files, or the files from the manifest, or one is missing', async () => {
    const fewer = resources.map((one) => (one.table === 'states' ? { ...one, rowCount: one.rowCount + 1 } : one));
    await expect(load('snap_e', {}, cluster, fewer)).rejects.toThrow(/other states of snap_e.*manifest/);
    const altering: ClusterConnection = {
      ...cluster,
      send: async (statement, file, limits) => {
        await cluster.send(statement, file, limits);
        if (statement.text.includes('prior_value'))
          await cluster.command(
            {
              text: 'alter table {t:Identifier} update value = value + 1 where series_no % 2 = 0 settings mutations_sync = 1',
              parameters: { t: String(statement.parameters['table']) },
            },
            limits,
          );
      },
    };
    await expect(load('snap_e', {}, altering)).rejects.toBeInstanceOf(KnownError);
    const broken = join(folder, 'broken.parquet');
    const brokenVintages = {
      pathOf: ({ table, path }: { readonly table: string; readonly path: string }) => (table === 'vintages' ? broken : path),
    };
    await expect(load('snap_e', brokenVintages)).rejects.toThrow(/broken\.parquet cannot be read \(ENOENT\).*doctor/);
    const whole = await readFile(resources.find(({ table }) => table === 'vintages')?.path ?? '');
    await writeFile(broken, whole.subarray(0, 2000));
    await expect(load('snap_e', brokenVintages)).rejects.toThrow(/broken\.parquet has 2000 bytes of \d+.*doctor/);
    await writeFile(broken, whole.fill(0, 2000));
    await expect(load('snap_e', brokenVintages)).rejects.toBeInstanceOf(ClusterError);
    expect(await held()).toEqual(['snap_c', 'snap_d']);
    expect(await tables()).toHaveLength(2 * TABLES.length);
  });

  it('that was dropped is no longer read', async () => {
    const [first] = await heldLoads(cluster, SHORT);
    if (first === undefined) throw new Error('nothing is held');
    await noteLoad(cluster, first, { at: now, isDropped: true }, SHORT);
    expect(await held()).toEqual(['snap_d']);
  });
});
