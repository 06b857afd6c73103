// Policy rates of the BIS in a screen as of days long before their download: against the sheet as a second reader reads it, and against the decisions
// that the banks published.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPipeline, type Pipeline, REAL_DATA } from '../../pipeline.ts';
import { hasPython, readTwice } from '../../readers/second-reader.ts';
import { type ListBody, type RunningService, startService } from '../../service.ts';

const KEY = 'bis/Monthly_interest_rates.CBPOL.xlsx';
const RETRIEVED_AT = '2026-11-20T10:00:00.000Z';
const TEXTS = join(REAL_DATA, 'central-bank-text');

interface Decision {
  /** The first day on which the rate holds. */
  readonly from: string;
  readonly rate: number;
}

describe.skipIf(!existsSync(join(REAL_DATA, KEY)) || !hasPython)('policy rates of the BIS', () => {
  let pipeline: Pipeline;
  let service: RunningService;
  /** By entity, the value of each month. */
  const sheet = new Map<string, Map<string, number>>();

  beforeAll(async () => {
    const path = join(REAL_DATA, KEY);
    const [theirs] = readTwice([{ source: 'bis', key: KEY, retrievedAt: RETRIEVED_AT, path }]);
    for (const row of theirs?.['observations'] ?? []) {
      if (typeof row === 'string') continue;
      const months = sheet.get(String(row['entityId'])) ?? new Map<string, number>();
      months.set(String(row['period']), Number(row['value']));
      sheet.set(String(row['entityId']), months);
    }
    pipeline = await openPipeline();
    await pipeline.run({ [KEY]: new Uint8Array(readFileSync(path)) }, RETRIEVED_AT);
    service = await startService(pipeline.dataDir, { now: Date.parse('2026-11-21T00:00:00Z') });
  }, 600_000);
  afterAll(async () => {
    await service.stop();
    await pipeline.remove();
  });

  // The rate of the United States is the federal funds rate, which another source has; Serbia was no country of its own before June 2006.
  it.each([
    ['2005-07-15', '2005-06', 35, ['us', 'rs']],
    ['2012-07-15', '2012-06', 38, ['us']],
    // Croatia's newest month is April.
    ['2020-07-15', '2020-06', 38, ['us']],
  ] as const)(
    'equal the sheet in a screen as of %s, of the month %s, for %i countries and areas',
    async (asOf, month, areas, without) => {
      const answer = await service.get(`/public/screener?filter=policy_rate:is:notnull&as_of=${asOf}&universe=countries&limit=250`);
      expect(answer.status).toBe(200);
      const { data, meta } = (await answer.json()) as ListBody & { meta: { screener: { evaluated: number; matched: number } } };
      const found = data.map((row) => {
        const { policy_rate: cell } = row['values'] as Record<string, { value: number; period: string }>;
        return [row['entityId'], cell?.period, cell?.value];
      });
      const expected = [...sheet].flatMap(([entityId, months]) => {
        const newest = [...months]
          .filter(([period]) => period <= month && period >= `${month.slice(0, 4)}-04`)
          .toSorted(([a], [b]) => a.localeCompare(b))
          .at(-1);
        return newest === undefined || without.some((one) => one === entityId) ? [] : [[entityId, ...newest]];
      });
      expect(differenceOf(found, expected)).toEqual({});
      expect([found.length, meta.screener.matched]).toEqual([areas, areas]);
    },
    60_000,
  );

  async function vintagesOf(entity: string): Promise<Map<string, { value: number; observedAt: string }>> {
    const path = `/observations?entity=${entity}&indicator_id=central_bank_policy_rate&vintage=all&format=ndjson&limit=5000`;
    const answer = await service.get(path);
    expect(answer.status).toBe(200);
    const rows = (await answer.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { period: string; actual: number; observedAt: string; isBackfill: boolean });
    expect(rows.filter((row) => row.isBackfill)).toEqual([]);
    return new Map(rows.map((row) => [row.period, { value: row.actual, observedAt: row.observedAt }]));
  }

  /** Each month that ends under a decision has its rate, and is known when it has ended: never before the rate held. */
  async function expectDecided(entity: string, decisions: readonly Decision[], until: string): Promise<number> {
    const known = await vintagesOf(entity);
    let compared = 0;
    for (const [index, { from, rate }] of decisions.entries()) {
      const next = decisions[index + 1]?.from ?? until;
      for (const [period, { value, observedAt }] of known) {
        const end = new Date(Date.UTC(Number(period.slice(0, 4)), Number(period.slice(5)), 0)).toISOString().slice(0, 10);
        if (end < from || end >= next) continue;
        compared += 1;
        expect.soft([entity, period, value]).toEqual([entity, period, rate]);
        expect.soft(observedAt > `${from}T00:00:00Z`, `${entity} ${period} known ${observedAt}, decided for ${from}`).toBe(true);
      }
    }
    return compared;
  }

  it('agree with the decisions of the ECB, and are never known before a decision takes effect', async () => {
    const decisions = documentsIn('ecb/decisions').flatMap(({ day, text }) => {
      const rate = /main refinancing operations[^%]*?(-?\d\.\d\d) ?%/.exec(text)?.[1];
      if (rate === undefined) return [];
      const [, date = '', month = '', year = ''] = /with effect from (\d+) (\w+) (\d{4})/.exec(text) ?? [];
      return [{ from: year === '' ? day : isoDay(date, month, year), rate: Number(rate) }];
    });
    expect(decisions.filter(({ rate }) => rate > 0).length).toBeGreaterThan(10);
    // The sheet ends with 2023; from 2019 to then are 60 months, the first under the decision of 24 January.
    expect(await expectDecided('ea', decisions, '2024-01-01')).toBe(60);
  }, 60_000);

  it('agree with the target ranges of the Federal Open Market Committee, whose middle the BIS uses', async () => {
    const decisions = documentsIn('fed/statements').flatMap(({ day, text }) => {
      const [, low, high] = /target range for the federal funds rate (?:at|to) ([\d/‑-]+) to ([\d/‑-]+) percent/.exec(text) ?? [];
      if (low === undefined || high === undefined) return [];
      const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
      return [{ from: next, rate: (fraction(low) + fraction(high)) / 2 }];
    });
    expect(decisions.length).toBeGreaterThan(80);
    expect(await expectDecided('us', decisions, '2024-01-01')).toBeGreaterThan(120);
  }, 60_000);
});

function differenceOf(found: readonly unknown[], expected: readonly unknown[]): object {
  const [ours, theirs] = [new Set(found.map((row) => JSON.stringify(row))), new Set(expected.map((row) => JSON.stringify(row)))];
  const [onlyOurs, onlyTheirs] = [[...ours].filter((row) => !theirs.has(row)), [...theirs].filter((row) => !ours.has(row))];
  return onlyOurs.length + onlyTheirs.length === 0 ? {} : { onlyOurs, onlyTheirs };
}

function documentsIn(folder: string): { readonly day: string; readonly text: string }[] {
  return readdirSync(join(TEXTS, folder))
    .filter((name) => /^\d{8}\.json$/.test(name))
    .sort()
    .map((name) => {
      const { text } = JSON.parse(readFileSync(join(TEXTS, folder, name), 'utf8')) as { text: string };
      return {
        day: `${name.slice(0, 4)}-${name.slice(4, 6)}-${name.slice(6, 8)}`,
        text: text.replaceAll(/\s+/g, ' ').replaceAll('â\u0080\u0091', '-'),
      };
    });
}

function isoDay(day: string, month: string, year: string): string {
  return new Date(`${day} ${month} ${year} UTC`).toISOString().slice(0, 10);
}

/** `0`, `1/4`, `1-1/4`, `5‑1/4`. */
function fraction(text: string): number {
  return text
    .split(/[-‑](?=\d)/)
    .map((part) => part.split('/').map(Number))
    .reduce((sum, [over = 0, under = 1]) => sum + over / under, 0);
}
