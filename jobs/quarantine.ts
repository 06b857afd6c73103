// An operator's decisions on findings: a suspended payload is correct after all, or it is not; a file that cannot be read is given up.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { quote } from '../src/db/connect.ts';
import type { Lake } from '../src/lake/lake.ts';
import { LAKE_TABLES } from '../src/lake/layout.ts';
import { KnownError } from '../src/known-error.ts';
import { snapshotPaths } from '../src/snapshot/manifest.ts';

/** A finding on a whole file: it names no series and no field. */
export const IS_UNREAD = `found.rule = 'schema_drift' and found.severity = 'block' and found.indicator_id is null and found.series_code is null and found.field_path is null`;

/** SQL: true if a later payload of the same source and name than that of the alias could be read. */
export const isReplaced = (lake: Lake, payload: string) => `exists (
    select 1 from ${lake.paths.rows('ingestions')} as read
    where read.status = 'ok' and read.source_id = ${payload}.source_id and read.key = ${payload}.key and read.retrieved_at > ${payload}.retrieved_at)`;

export interface Held {
  readonly quarantineId: string;
  readonly sourceId: string;
  readonly indicatorId: string | null;
  readonly payloadId: string;
  readonly key: string | null;
  readonly retrievedAt: string | null;
  readonly reason: string;
}

export interface Decision {
  readonly status: 'released' | 'rejected';
  readonly note: string;
  /** All findings of the payloads of the given ones. */
  readonly isWholePayload: boolean;
  readonly at: string;
}

/** The text of an empty list. It names the folder of the sample, which you may have meant. */
export function nothingHeld(dataDir: string): string {
  const sample = join(dataDir, 'sample');
  const hint = existsSync(snapshotPaths(sample).pointer) ? ` For the sample, set DATA_DIR=${sample}.` : '';
  const state = existsSync(snapshotPaths(dataDir).pointer) ? '/quarantine lists all findings.' : 'This folder has no published data.';
  return `Nothing waits for a decision in ${dataDir}. ${state}${hint}`;
}

/** Suspended payloads that wait for a decision, newest first. */
export const listHeld = (lake: Lake): Promise<Held[]> =>
  openFindings(
    lake,
    `anti join (select payload_id, connector_version from ${lake.paths.rows('ingestions')} where status = 'ok') as newer
        on newer.payload_id = found.payload_id and newer.connector_version > found.connector_version
    where found.rule = 'scale_jump' and found.severity = 'block'`,
  );

/** Files that could not be read, newest first, each with its newest finding. If a readable file of the same name followed, the earlier one is left out. */
export const listUnread = (lake: Lake): Promise<Held[]> =>
  openFindings(
    lake,
    `anti join (select payload_id, connector_version from ${lake.paths.rows('ingestions')} where status = 'ok') as read
        on read.payload_id = found.payload_id and read.connector_version >= found.connector_version
    where ${IS_UNREAD} and not ${isReplaced(lake, 'payloads')}
    qualify row_number() over (partition by found.payload_id order by found.connector_version desc, found.detected_at desc) = 1`,
  );

export interface WaitingSource {
  readonly sourceId: string;
  readonly findings: number;
}

/** The number of findings that `npm run quarantine -- list` shows of each source. */
export async function waitingBySource(lake: Lake): Promise<WaitingSource[]> {
  const open = [...(await listHeld(lake)), ...(await listUnread(lake))].map(({ sourceId }) => sourceId);
  return [...new Set(open)].toSorted().map((sourceId) => ({ sourceId, findings: open.filter((one) => one === sourceId).length }));
}

/** @param which joins and conditions of the findings `found` of the files `payloads` */
async function openFindings(lake: Lake, which: string): Promise<Held[]> {
  const result = await lake.connection.runAndReadAll(`
    select
        found.quarantine_id, found.source_id, found.indicator_id, found.payload_id, payloads.key,
        strftime(payloads.retrieved_at at time zone 'UTC', '%Y-%m-%dT%H:%M:%S.%gZ') as retrieved_at, found.reason
    from ${lake.paths.rows('quarantine')} as found
    left join (select payload_id, any_value(source_id) as source_id, any_value(key) as key, any_value(retrieved_at) as retrieved_at from ${lake.paths.rows('ingestions')} group by all) as payloads
        using (payload_id)
    anti join ${lake.paths.rows('resolutions')} as resolutions using (quarantine_id)
    ${which}
    order by payloads.retrieved_at desc, found.source_id, found.indicator_id, found.quarantine_id`);
  return result
    .getRows()
    .map((row) => row.map((cell) => (cell === null ? null : String(cell))))
    .map(([quarantineId, sourceId, indicatorId, payloadId, key, retrievedAt, reason]) => ({
      quarantineId: quarantineId ?? '',
      sourceId: sourceId ?? '',
      indicatorId: indicatorId ?? null,
      payloadId: payloadId ?? '',
      key: key ?? null,
      retrievedAt: retrievedAt ?? null,
      reason: reason ?? '',
    }));
}

/** Records the decision; released rows are written when their payload is next read, and a rejected file is not tried again. */
export async function decide(lake: Lake, ids: readonly string[], decision: Decision): Promise<Held[]> {
  const [held, unread] = [await listHeld(lake), await listUnread(lake)];
  const open = [...held, ...unread];
  const named = ids.map((id) => {
    const found = open.find((one) => one.quarantineId === id);
    if (found === undefined) throw new KnownError(`${id} does not wait for a decision. To list what does: npm run quarantine -- list`);
    if (decision.status === 'released' && unread.includes(found))
      throw new KnownError(
        `${id} is a file that could not be read, so there is nothing to release. You can reject it: npm run quarantine -- reject ${id}`,
      );
    return found;
  });
  const payloads = new Set(named.map((one) => one.payloadId));
  const chosen = (decision.status === 'released' ? held : open).filter((one) =>
    decision.isWholePayload ? payloads.has(one.payloadId) : named.includes(one),
  );
  for (const sourceId of new Set(chosen.map((one) => one.sourceId))) {
    const rows = chosen
      .filter((one) => one.sourceId === sourceId)
      .map((one) => [one.quarantineId, one.payloadId, one.indicatorId, decision.status, decision.note, decision.at])
      .map((cells) => `(${cells.map((cell) => (cell === null ? 'null' : quote(cell))).join(', ')})`);
    const columns = Object.entries(LAKE_TABLES.resolutions).map(([name, type]) => `${name}::${type} as ${name}`);
    const select = `select ${columns.join(', ')} from (values ${rows.join(', ')}) as r (${Object.keys(LAKE_TABLES.resolutions).join(', ')})`;
    await lake.commit(sourceId, decision.at, [{ table: 'resolutions', select }]);
  }
  return chosen;
}
