// How a company is classified changes; the answer at a cutoff is the class that was known then.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Company } from '../../src/model/company.ts';
import { submissions } from './edgar.ts';
import { type FixtureService, startFixtureService } from '../routes/fixture-service.ts';

const CIK = 99971;
const filings = { '0000099971-20-000001': { form: '10-K', filed: '2020-02-10', acceptedAt: '2020-02-10T15:05:11.000Z' } };
const described = (sic: string, sicDescription: string) => submissions(CIK, { sic, sicDescription, tickers: ['ZZCLS'] }, filings);

let service: FixtureService;
beforeAll(async () => {
  service = await startFixtureService(
    [
      { files: described('6770', 'Blank Checks'), at: '2024-01-10T08:00:00.000Z' },
      {
        files: {
          ...described('6770', 'Blank Checks'),
          ...submissions(99972, { sic: '9995', sicDescription: 'Non-Operating Establishments' }, {}),
        },
        at: '2024-03-10T08:00:00.000Z',
      },
      { files: described('3711', 'Motor Vehicles & Passenger Car Bodies'), at: '2025-01-10T08:00:00.000Z' },
    ],
    '2025-07-02T08:00:00.000Z',
  );
});
afterAll(() => service.stop());

async function classes(query: string): Promise<(string | null)[][]> {
  const rows = z.array(Company).parse((await service.list(`/public/companies?${query}`)).data);
  return rows.map(({ sector, industry, sic }) => [sector, industry, sic]);
}

const SHELL = ['Finance, insurance and real estate', 'Blank Checks', '6770'];
const MAKER = ['Manufacturing', 'Motor Vehicles & Passenger Car Bodies', '3711'];

describe('the class of a company', () => {
  it('is the one known at the cutoff, and none before EDGAR was read', async () => {
    expect(await classes('ticker=ZZCLS')).toEqual([MAKER]);
    expect(await classes('ticker=ZZCLS&as_of=2025-01-10T08:00:00Z')).toEqual([MAKER]);
    expect(await classes('ticker=ZZCLS&as_of=2025-01-10T07:59:59Z')).toEqual([SHELL]);
    expect(await classes('ticker=ZZCLS&as_of=2024-01-10T07:59:59Z')).toEqual([[null, null, null]]);
  });

  it('is the one that the filter of sectors uses', async () => {
    expect(await classes('sector=manufacturing')).toEqual([MAKER]);
    expect(await classes('sector=manufacturing&as_of=2024-06-01')).toEqual([]);
    expect(await classes('industry=blank%20checks&as_of=2024-06-01')).toEqual([SHELL]);
  });

  it('has no sector if its code has no division', async () => {
    expect(await classes('q=0000099972')).toEqual([[null, 'Non-Operating Establishments', '9995']]);
  });
});
