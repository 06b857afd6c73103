// The nearest of many names: as one by one, and in no time that anybody sees.
import { describe, expect, it } from 'vitest';
import leven from 'leven';
import { nameIndex, nameIndexSteps, nearestName } from '../../src/model/nearest.ts';

describe('the nearest name', () => {
  it.each([
    ['limt', 'limit'],
    ['valeu', 'value'],
    ['VALUE', 'value'],
    ['nonfarm', 'us_nonfarm_payrolls'],
    ['us', null],
    ['zzzz', null],
    ['', null],
  ])('to %s is %s', (name, nearest) => {
    expect(nearestName(name, ['limit', 'value', 'us_nonfarm_payrolls'])).toBe(nearest);
  });

  it('to the beginning of several names is the shortest of them', () => {
    expect(nearestName('POLICY_RAT', ['central_bank_policy_rate', 'policy_rate', 'policy_rate_real'])).toBe('policy_rate');
  });

  it('to a code of two letters is none, because many codes differ in one letter, but swapped letters are found', () => {
    expect([nearestName('xx', ['ax', 'us']), nearestName('su', ['ax', 'us'])]).toEqual([null, 'us']);
  });

  it('keeps its spelling, and is found in any case', () => {
    const index = nameIndex(['ZZSMB', 'Bank of Canada', 'zzsmb']);
    expect([index.nearest('zzsmbb'), index.nearest('bank of canda'), index.has('BANK OF CANADA'), index.has('bank')]).toEqual([
      'ZZSMB',
      'Bank of Canada',
      true,
      false,
    ]);
  });
});

describe('the nearest of many names', () => {
  const stems = ['cpi', 'payrolls', 'retail_sales', 'policy_rate', 'gdp_growth', 'housing_starts', 'price_to_earnings', 'dividend_yield'];
  const names = Array.from({ length: 3000 }, (_, at) => `co${(at * 104_729).toString(36)}`).flatMap((company) =>
    stems.map((stem) => `${company}_${stem}`),
  );
  const index = nameIndex(names);

  it('is as near as in a scan of all names, for each kind of slip', () => {
    const slips: readonly ((name: string, at: number) => string)[] = [
      (name, at) => name.slice(0, at) + name.slice(at + 1),
      (name, at) => `${name.slice(0, at)}q${name.slice(at)}`,
      (name, at) => `${name.slice(0, at)}q${name.slice(at + 1)}`,
      (name, at) => name.slice(0, at) + (name[at + 1] ?? '') + (name[at] ?? '') + name.slice(at + 2),
    ];
    for (let draw = 0; draw < 60; draw += 1) {
      const name = names[(draw * 7919) % names.length] ?? '';
      const slipped = slips[draw % slips.length]?.(name, 1 + ((draw * 31) % (name.length - 2))) ?? '';
      const found = index.nearest(slipped);
      const oneByOne = nearestName(slipped, names) ?? '';
      expect([slipped, found !== null && leven(found, slipped) <= leven(oneByOne, slipped)]).toEqual([slipped, true]);
    }
  });

  it('can be indexed in steps of a few thousand names, so that other requests run between them', () => {
    const steps = nameIndexSteps(names);
    let count = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) count += 1;
    // Each of three passes over 24,000 names has a step for each 4,000.
    expect(count).toBeGreaterThanOrEqual(15);
    expect(step.value.nearest('co0_payrols')).toBe(index.nearest('co0_payrols'));
  });
});
