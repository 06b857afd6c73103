// What takes its time: the pace of requests, and answers that do not end.
import { Agent } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { partialsIn } from '../../src/fetch/partial.ts';
import { PUBLISHERS } from '../../src/sources/publishers.ts';
import { type Limits } from '../../src/sources/publisher.ts';
import { transfer } from '../../src/fetch/transfer.ts';
import type { TransferError } from '../../src/fetch/transfer-error.ts';
import { fetcherOf } from '../replay/fetcher.ts';
import { openReplay, type Replay } from '../replay/server.ts';

const CSV = 'Date,USD\n2026-01-02,1.17\n';
const HOST = 'www.ecb.europa.eu';

let replay: Replay;
beforeAll(async () => {
  replay = await openReplay();
});
beforeEach(() => replay.forget());
afterAll(() => replay.close());

describe('a publisher', () => {
  it('is asked at its own pace, at most twice a second if it counts per second', async () => {
    replay.serve('api.stlouisfed.org/a.json', () => ({ body: '{}' }));
    const fetcher = await fetcherOf(replay, { isPaced: true, secrets: { FRED_API_KEY: 'abcdef0123456789abcdef0123456789' } });
    const request = { key: 'fred/a.json', url: 'https://api.stlouisfed.org/a.json' };
    await Promise.all(Array.from({ length: 5 }, () => fetcher.fetch('fred', request, null)));
    const gaps = replay.asked.slice(1).map(({ at }, index) => at - (replay.asked[index]?.at ?? 0));
    expect(gaps.length).toBe(4);
    expect(Math.min(...gaps)).toBeGreaterThan(500);
  });
});

describe('limits', () => {
  const sendOnce = async (limits: Partial<Limits>) => {
    const wire = { dispatcher: new Agent(), resolve: replay.resolve, partials: partialsIn('/nowhere'), now: () => 0 };
    const publisher = { ...PUBLISHERS.ecb, limits: { ...PUBLISHERS.ecb.limits, ...limits } };
    const sent = transfer(wire, publisher, { url: `https://${HOST}/rates.csv`, headers: {}, isResumable: false, secret: null });
    return sent.then(
      () => 'an answer',
      (error: TransferError) => `${error.message}${error.isRetriable ? ', tried again' : ''}`,
    );
  };

  it('stop a request that is silent, slow or endless', async () => {
    replay.serve(`${HOST}/rates.csv`, () => ({ isSilent: true }));
    expect(await sendOnce({ firstByte: 150 })).toBe('no answer within 0.15 s, tried again');
    replay.serve(`${HOST}/rates.csv`, () => ({ body: CSV, dripEvery: 10_000 }));
    expect(await sendOnce({ silence: 150 })).toBe('the answer was silent for 0.15 s, tried again');
    replay.serve(`${HOST}/rates.csv`, () => ({ body: CSV.repeat(100), dripEvery: 40 }));
    expect(await sendOnce({ whole: 600 })).toBe('the answer was not complete within 0.6 s, tried again');
    replay.serve(`${HOST}/rates.csv`, () => ({ endless: Buffer.alloc(64 * 1024, 'a') }));
    expect(await sendOnce({ bytes: 1_000_000 })).toMatch(/^the answer has \d+ or more bytes, more than the 1000000 allowed$/);
  });
});
