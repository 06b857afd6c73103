// The names of futures contracts on the pages.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

const load = async <Module>(name: string) =>
  (await import(pathToFileURL(join(import.meta.dirname, '../../src/pages/static', name)).href)) as Module;

describe('the name of a contract', async () => {
  const { contractName } = await load<{ readonly contractName: (name: string) => string }>('cot/contracts.js');
  const { listNames, shortName } = await load<{
    readonly listNames: (names: readonly string[]) => ReadonlyMap<string, string>;
    readonly shortName: (name: string) => string;
  }>('cot/list-names.js');

  it('has its market in a list only if another contract has the same name', () => {
    const [note, gold, mini] = ['UST 10Y NOTE - CHICAGO BOARD OF TRADE', 'GOLD - COMMODITY EXCHANGE INC.', 'GOLD - ICE FUTURES U.S.'];
    expect([...listNames([note, gold]).values()]).toEqual(['US Treasury 10-Year Note', 'Gold']);
    expect([...listNames([note, gold, mini]).values()]).toEqual([
      'US Treasury 10-Year Note',
      'Gold, Commodity Exchange Inc.',
      'Gold, ICE Futures U.S.',
    ]);
  });

  it('can leave out the market', () => {
    expect(['NAT GAS NYME - NEW YORK MERCANTILE EXCHANGE', 'Sample Contract'].map(shortName)).toEqual(['Natural Gas', 'Sample Contract']);
  });

  it.each([
    ['CORN - CHICAGO BOARD OF TRADE', 'Corn, Chicago Board of Trade'],
    ['JAPANESE YEN - CHICAGO MERCANTILE EXCHANGE', 'Japanese Yen, Chicago Mercantile Exchange'],
    ['E-MINI S&P 500 - CHICAGO MERCANTILE EXCHANGE', 'E-Mini S&P 500, Chicago Mercantile Exchange'],
    ['NAT GAS NYME - NEW YORK MERCANTILE EXCHANGE', 'Natural Gas, New York Mercantile Exchange'],
    ['UST 10Y NOTE - CHICAGO BOARD OF TRADE', 'US Treasury 10-Year Note, Chicago Board of Trade'],
    ['GOLD - COMMODITY EXCHANGE INC.', 'Gold, Commodity Exchange Inc.'],
    ['COFFEE C - ICE FUTURES U.S.', 'Coffee C, ICE Futures U.S.'],
    ['WTI-PHYSICAL - NEW YORK MERCANTILE EXCHANGE', 'WTI Crude Oil, Physical, New York Mercantile Exchange'],
    ['VIX FUTURES - CBOE FUTURES EXCHANGE', 'VIX Futures, Cboe Futures Exchange'],
    ['DOMINION - SOUTH POINT (BASIS) - ICE FUTURES ENERGY DIV', 'Dominion - South Point (Basis), ICE Futures Energy Div'],
    ['MICRO ETHER  - CHICAGO MERCANTILE EXCHANGE', 'Micro Ether, Chicago Mercantile Exchange'],
    ['Nano Bitcoin  - COINBASE DERIVATIVES, LLC', 'Nano Bitcoin, Coinbase Derivatives, LLC'],
    ['PJM.AEP-DAYTON HUB_mo_on_dap - NODAL EXCHANGE', 'PJM.AEP-Dayton HUB_mo_on_dap, Nodal Exchange'],
    ['Sample Contract', 'Sample Contract'],
  ])('%s becomes %s', (name, plain) => {
    expect(contractName(name)).toBe(plain);
  });
});
