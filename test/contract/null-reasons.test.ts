// Why price, market capitalisation and multiples of a company are null: the reason that the derived observation of that multiple and day has.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ListBody, type RunningService, startSampleService } from '../service.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startSampleService();
});
afterAll(() => service.stop());

interface Known {
  readonly price: number | null;
  readonly marketCap: number | null;
  readonly entityId: string;
  readonly priceAsOf: string | null;
}

interface Metadata {
  readonly reason: string | null;
}

const rows = async (path: string) => ((await (await service.get(path)).json()) as ListBody).data;
const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

it.each(['', '&as_of=2026-09-30', '&as_of=2025-12-31', '&as_of=2024-06-30', '&as_of=2023-03-31'])(
  'each null of a company has the reason of its derived observation, and other fields have none: %s',
  async (asOf) => {
    let reasons = 0;
    for (const company of await rows(`/public/companies?limit=50${asOf}`)) {
      const multiples = company['multiples'] as Readonly<Record<string, number | null>>;
      const { price, marketCap, entityId, priceAsOf } = company as unknown as Known;
      const nulls = Object.entries({ price, marketCap, ...multiples }).flatMap(([name, value]) => (value === null ? [name] : []));
      const given = company['nullReasons'] as Readonly<Record<string, string>>;
      expect([company['name'], Object.keys(given).toSorted()]).toEqual([company['name'], nulls.toSorted()]);
      reasons += nulls.length;
      for (const name of nulls.filter((one) => one in multiples)) {
        const query = `entity=${entityId}&indicator_id=${snake(name)}&start_date=${priceAsOf}&end_date=${priceAsOf}${asOf}`;
        const [derived] = priceAsOf === null ? [{ metadata: { reason: 'no_price' } }] : await rows(`/derived-observations?${query}`);
        expect([name, given[name]]).toEqual([name, (derived?.['metadata'] as Metadata | undefined)?.reason]);
      }
    }
    expect(reasons).toBeGreaterThan(0);
  },
);
