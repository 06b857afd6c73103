// What the screener says of every entity in some fields, with every modifier that compares, now and as of a day.
import { type Modifier } from '../../src/model/screener-dsl.ts';
import { type Screen, screen } from '../../src/queries/screener/screener.ts';
import type { SnapshotReader } from '../../src/snapshot/serving/reader.ts';

const FIELDS = ['cot_positioning_percentile', 'cot_tff_percentile', 'business_confidence', 'consumer_confidence', 'ecb_reference_rate'];
const MODIFIERS: readonly (Modifier | null)[] = [null, 'prev', 'chg1', 'chg12', 'yoy', 'z3y', 'rank', 'pct'];

export interface ScreenedValue {
  /** now, or a moment. */
  readonly moment: string;
  readonly field: string;
  readonly modifier: string;
  readonly entityId: string;
  readonly unit: string | null;
  readonly value: number;
}

export async function askScreens(snapshot: SnapshotReader, cutoffs: readonly (string | null)[]): Promise<readonly ScreenedValue[]> {
  const found: ScreenedValue[] = [];
  for (const asOf of cutoffs) {
    const columns = FIELDS.flatMap((field) => MODIFIERS.map((modifier) => ({ field, modifier })));
    const asked: Screen = {
      universe: 'entities',
      entityType: null,
      country: null,
      sector: null,
      filter: [],
      ranking: [],
      columns,
      isFreshOnly: false,
      isEligibleOnly: false,
      asOf,
      at: Date.parse(asOf ?? snapshot.knowledgeCutoff),
      historyFrom: null,
    };
    const { rows } = await screen(snapshot, asked, { sort: 'rank', order: 'asc', begin: 0, limit: Number.MAX_SAFE_INTEGER });
    for (const { entityId, values } of rows) {
      for (const [key, { value, unit }] of Object.entries(values)) {
        const [field = '', modifier = 'value'] = key.split('@');
        if (typeof value === 'number') found.push({ moment: asOf ?? 'now', field, modifier, entityId, unit, value });
      }
    }
  }
  return found;
}
