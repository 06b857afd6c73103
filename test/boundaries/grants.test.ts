// The file of grants, and what a grant makes of a series.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Grant, type Grants, isInForce, rightsUnder, underGrants } from '../../src/model/grant.ts';
import { followGrants, type GrantRequest, grantFile, grantRights, readGrants, revokeRights } from '../../src/rights/grant-file.ts';
import { seriesWith } from './by-hand/series.ts';

const NOON = Date.parse('2026-11-21T12:00:00.000Z');
const REQUEST: GrantRequest = { sourceId: 'quotes', note: 'Contract 17', until: null, redistribute: false };
const granted = (change: Partial<Grant> = {}): Grant => ({ ...REQUEST, grantedBy: 'op', grantedAt: '2026-11-21T12:00:00.000Z', ...change });
const grantsOf = (...all: readonly Grant[]): Grants => new Map(all.map((one) => [one.sourceId, one]));

describe('a grant', () => {
  it.each([
    [null, '2099-01-01T00:00:00.000Z', true],
    ['2026-11-21', '2026-11-21T23:59:59.999Z', true],
    ['2026-11-21', '2026-11-22T00:00:00.000Z', false],
    ['2026-11-20', '2026-11-21T00:00:00.000Z', false],
  ])('until %s is valid at %s: %s', (until, at, expected) => {
    expect(isInForce({ until }, Date.parse(at))).toBe(expected);
  });

  const closed = { redistributable: false, license: 'Vendor terms', note: 'not on' };
  const multiple = seriesWith({ isDerived: true, isWithheld: true, licensedSourceIds: ['quotes'], rights: closed });

  it('opens data that only its source limits, with the note of the operator', () => {
    expect(underGrants(multiple, grantsOf(granted()))).toEqual({
      ...multiple,
      isWithheld: false,
      rights: { ...closed, note: 'Contract 17' },
    });
    expect(underGrants(multiple, grantsOf(granted({ redistribute: true }))).rights).toEqual({
      redistributable: true,
      license: 'Vendor terms',
      note: 'Contract 17',
    });
    expect(underGrants(multiple, grantsOf(granted({ sourceId: 'dividends' })))).toBe(multiple);
  });

  it('of one source does not open data that another source limits too', () => {
    const mixed = seriesWith({ isDerived: true, isWithheld: true, licensedSourceIds: ['dividends', 'quotes'], rights: closed });
    expect(underGrants(mixed, grantsOf(granted({ redistribute: true })))).toBe(mixed);
    const both = grantsOf(granted({ redistribute: true }), granted({ sourceId: 'dividends', note: 'Letter' }));
    expect(underGrants(mixed, both)).toMatchObject({ isWithheld: false, rights: { redistributable: false, note: 'Letter; Contract 17' } });
  });

  it('changes nothing for free data', () => {
    const free = seriesWith({ sourceId: 'quotes' });
    expect(underGrants(free, grantsOf(granted()))).toBe(free);
    const open = { redistributable: true, license: 'MIT', note: null };
    expect([rightsUnder(open, 'quotes', grantsOf(granted())), rightsUnder(closed, 'quotes', grantsOf(granted()))]).toEqual([
      open,
      { ...closed, note: 'Contract 17' },
    ]);
  });
});

describe('the file of grants', () => {
  let folder: string;
  let path: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'asof-grants-'));
    path = grantFile(folder);
  });
  beforeEach(() => rmSync(path, { force: true }));
  afterAll(() => rmSync(folder, { recursive: true }));
  const errors: unknown[] = [];
  const sourcesAt = (followed: ReturnType<typeof followGrants>, now = NOON) => [...followed.at(now).keys()];

  it('keeps who granted and when, also for revoked and replaced grants', async () => {
    expect(await revokeRights(path, 'quotes', 'op', NOON)).toBeNull();
    await grantRights(path, REQUEST, 'anna', NOON);
    await grantRights(path, { ...REQUEST, redistribute: true }, 'bert', NOON + 1000);
    await grantRights(path, { ...REQUEST, sourceId: 'dividends' }, 'anna', NOON + 2000);
    await revokeRights(path, 'quotes', 'carl', NOON + 3000);
    expect(await revokeRights(path, 'quotes', 'carl', NOON + 4000)).toBeNull();
    expect(readGrants(path)).toEqual([
      { ...REQUEST, grantedBy: 'anna', grantedAt: '2026-11-21T12:00:00.000Z', revokedBy: 'bert', revokedAt: '2026-11-21T12:00:01.000Z' },
      {
        ...REQUEST,
        redistribute: true,
        grantedBy: 'bert',
        grantedAt: '2026-11-21T12:00:01.000Z',
        revokedBy: 'carl',
        revokedAt: '2026-11-21T12:00:03.000Z',
      },
      { ...REQUEST, sourceId: 'dividends', grantedBy: 'anna', grantedAt: '2026-11-21T12:00:02.000Z', revokedBy: null, revokedAt: null },
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is read again after a grant, a revocation and the last day', async () => {
    const followed = followGrants(path, (error) => errors.push(error));
    followed.follow();
    expect(sourcesAt(followed)).toEqual([]);
    await grantRights(path, { ...REQUEST, until: '2026-11-22' }, 'anna', NOON);
    followed.follow();
    expect([sourcesAt(followed), sourcesAt(followed, Date.parse('2026-11-23T00:00:00.000Z'))]).toEqual([['quotes'], []]);
    await revokeRights(path, 'quotes', 'anna', NOON);
    followed.follow();
    expect([sourcesAt(followed), errors]).toEqual([[], []]);
  });

  it('grants nothing if it cannot be read, reports it, and is never overwritten', async () => {
    await grantRights(path, REQUEST, 'anna', NOON);
    const followed = followGrants(path, (error) => errors.push(String(error)));
    followed.follow();
    expect(sourcesAt(followed)).toEqual(['quotes']);
    writeFileSync(path, '{"version": 1, "grants": [{"sourceId": "quotes"}]}');
    followed.follow();
    expect([sourcesAt(followed), errors]).toEqual([[], [expect.stringContaining(path)]]);
    await expect(grantRights(path, REQUEST, 'anna', NOON)).rejects.toThrow('is damaged, or another version wrote it');
    expect(readFileSync(path, 'utf8')).toContain('[{"sourceId": "quotes"}]');
  });
});
