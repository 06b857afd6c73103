// Panels beside what the latest observations say as of each moment.
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningService, startSampleService } from '../service.ts';
import { isLong } from '../suite.ts';
import { canonicalsOf, compareDraws, type PanelRow, rowsOf } from './choice.ts';

let service: RunningService;
let canonicals: Awaited<ReturnType<typeof canonicalsOf>>;
beforeAll(async () => {
  service = await startSampleService();
  canonicals = await canonicalsOf(service);
});
afterAll(() => service.stop());

const FACTORS = ['business_confidence', 'consumer_confidence', 'unemployment_rate', 'nonfarm_payrolls', 'policy_rate', 'cpi_inflation_yoy'];

/** With those above they have more than a hundred series. */
const MORE = [
  'services_confidence',
  'retail_trade_confidence',
  'employment_expectations',
  'construction_confidence',
  'economic_sentiment',
  'advertising_confidence',
  'cpi_nsa',
];

const CELLS = isLong ? 150 : 40;

const panel = (question: string, key: 'full' | 'free' = 'full') => rowsOf<PanelRow>(service, `/panels?${question}`, key);

async function refusal(path: string) {
  const response = await service.get(path);
  const { error } = (await response.json()) as { error: { message: string; details?: Readonly<Record<string, unknown>> } };
  return { status: response.status, ...error };
}

describe('a panel', () => {
  it('has for each date, factor and entity the row that the rules choose from the latest rows as of that moment', async () => {
    const compared = await compareDraws(service, { seed: 1, cells: CELLS, from: '2010-01-01', factors: FACTORS });
    expect(compared.differences).toEqual([]);
    expect(compared.cells).toBeGreaterThanOrEqual(CELLS);
  });
});

describe('a walk', () => {
  it('in small pages has the rows of one answer, in every form', async () => {
    const question = 'factor=consumer_confidence,nonfarm_payrolls&from=2023-01-01&to=2026-10-31';
    const whole = await panel(`${question}&limit=500`);
    expect(whole.length).toBeGreaterThan(200);
    expect(await panel(`${question}&limit=37`)).toEqual(whole);
    const lines = (await (await service.get(`/panels?${question}&format=ndjson`)).text()).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as PanelRow)).toEqual(whole.map((row) => ({ ...row, knownTo: null })));
  });

  it('of 250 countries is the most', async () => {
    const many = (count: number) => Array.from({ length: count }, () => 'US').join(',');
    const status = async (count: number) =>
      (await service.get(`/panels?factor=policy_rate&country=${many(count)}&from=2020-01-01&to=2020-12-31`)).status;
    expect([await status(250), await status(251)]).toEqual([200, 400]);
  });
});

/** Each takes seconds. */
const LARGE: [name: string, route: string, question: string, fewest: number][] = [
  ['of many days', '/panels', 'from=2025-01-01&to=2026-10-31&every=day', 10_000],
  // More series than are looked at together, in order over several parts of the file.
  ['of many series', '/panels', `factor=${[...FACTORS, ...MORE].join(',')}&from=2025-01-01&to=2026-10-31&every=day`, 85_000],
];

describe('a whole panel as Parquet, which the engine writes,', () => {
  const fileOf = async (path: string) => {
    const response = await service.get(`${path}&format=parquet`);
    expect([path, response.status]).toEqual([path, 200]);
    const file = await response.arrayBuffer();
    const { schema } = parquetMetadata(file);
    return { schema, rows: await parquetReadObjects({ file, compressors }) };
  };

  it.each([
    ['of month ends', '/panels', 'from=2010-01-01&to=2026-10-31', 2000],
    ['of days, without rights', '/public/panels', 'from=2020-01-01&to=2020-06-30&every=day', 1000],
    ['of a group', '/panels', 'group=ea&from=2005-01-01&to=2026-10-31', 500],
    ['of a group that a country left', '/panels', 'group=eu&grade=3&every=week&from=2015-01-01&to=2026-10-31', 500],
    [
      'of first prints at an hour',
      '/panels',
      'vintage=first&every=quarter_end&at=16:00%20America/New_York&from=2005-01-01&to=2026-10-31',
      500,
    ],
    ['with assumed vintages', '/panels', 'grade=3&every=quarter_end&from=2005-01-01&to=2026-10-31', 500],
    ['of eligible rows', '/panels', 'eligible_only=true&from=2015-01-01&to=2026-10-31', 500],
    ['of changes', '/panels', 'every=change&from=2015-01-01&to=2026-10-31', 300],
    ['of changes with assumed vintages', '/panels', 'every=change&grade=3&from=2015-01-01&to=2026-10-31', 300],
    ['of changes of a group', '/panels', 'every=change&group=eu&from=2005-01-01&to=2026-10-31', 100],
    ['of some columns', '/panels', 'columns=date,factor,value,mopLag&from=2020-01-01&to=2026-10-31', 500],
    ['of a past without data', '/panels', 'from=1900-01-01&to=1900-12-31', 0],
    ['of two dates whose hour is after now', '/panels', 'from=2026-11-01&to=2026-11-30&every=day&at=23:00%20Pacific/Honolulu', 100],
    [
      'of a company',
      '/panels',
      'factor=price_close,dividend_per_share&entity=company_9999999786&from=2026-01-01&to=2026-10-31&every=day',
      100,
    ],
    [
      'of the changes of many series',
      '/panels',
      `factor=${[...FACTORS, ...MORE].join(',')}&from=2015-01-01&to=2026-10-31&every=change`,
      1000,
    ],
    ['between two month ends', '/panels', 'from=2020-01-01&to=2020-01-30', 0],
    ...(isLong ? LARGE : []),
  ] as const)('%s, has the rows and types that it has with a limit', async (_, route, question, fewest) => {
    const path = question.startsWith('factor=') ? `${route}?${question}` : `${route}?factor=${FACTORS.join(',')}&${question}`;
    const [written, made] = [await fileOf(path), await fileOf(`${path}&limit=1000000`)];
    expect(written.rows.length).toBeGreaterThanOrEqual(fewest);
    expect(written.rows).toEqual(made.rows);
    const typesOf = ({ schema }: typeof made) => schema.map(({ name, type, logical_type }) => [name, type, logical_type]);
    expect(typesOf(written)).toEqual(typesOf(made));
  });

  it('has for a free key only the rows of the periods in its window', async () => {
    const path = `/panels?factor=${FACTORS.join(',')}&from=2010-01-01&to=2026-10-31&format=parquet`;
    const rowsFor = async (more: string) => {
      const response = await service.get(`${path}${more}`, { key: 'free' });
      return parquetReadObjects({ file: await response.arrayBuffer(), compressors });
    };
    const written = await rowsFor('');
    expect(written.length).toBeGreaterThan(100);
    expect(written).toEqual(await rowsFor('&limit=1000000'));
    expect(written.length).toBeLessThan((await fileOf(`/panels?factor=${FACTORS.join(',')}&from=2010-01-01&to=2026-10-31`)).rows.length);
  });

  it('says the same of a wrong name and of too many cells', async () => {
    const said = async (question: string) => {
      const whole = await refusal(`/panels?${question}&format=parquet`);
      return [whole, await refusal(`/panels?${question}&format=parquet&limit=10`)].map(({ status, message }) => [status, message]);
    };
    const days = 'from=0001-01-01&to=2026-12-31&every=day';
    for (const question of [
      `factor=policy_rte&${days}`,
      `factor=${FACTORS.join(',')}&${days}`,
      'factor=policy_rate&from=2020-02-01&to=2020-01-01',
    ]) {
      const [whole, limited] = await said(question);
      expect(whole?.[0]).toBe(400);
      expect(whole).toEqual(limited);
    }
  });
});

describe('changes', () => {
  it('give the same row at each month end as the panel of month ends', async () => {
    const question = `factor=${FACTORS.join(',')}&from=2019-01-01&to=2026-10-31&grade=3`;
    const [ends, changes] = [await panel(`${question}&limit=500`), await panel(`${question}&every=change&limit=500`)];
    expect(ends.length).toBeGreaterThan(400);
    const slotOf = ({ factor, entityId }: PanelRow) => `${factor} ${entityId}`;
    for (const row of ends) {
      const then = changes.filter((one) => slotOf(one) === slotOf(row) && one.asOf <= row.asOf).at(-1);
      expect([then?.observationId, then?.scoringEligible], `${row.date} ${slotOf(row)}`).toEqual([row.observationId, row.scoringEligible]);
    }
    const repeated = changes.filter((row, index) => {
      const before = changes.slice(0, index).findLast((one) => slotOf(one) === slotOf(row));
      return before?.observationId === row.observationId && before.scoringEligible === row.scoringEligible;
    });
    expect(repeated).toEqual([]);
  });

  it('are the same in one bulk answer, and each says there until when it held', async () => {
    const question = 'factor=nonfarm_payrolls&country=US&from=2020-01-01&to=2020-12-31&every=change';
    const pages = await panel(`${question}&limit=3`);
    const response = await service.get(`/panels?${question}&format=ndjson`);
    const bulk = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as PanelRow);
    expect(bulk.map(({ observationId, asOf }) => [observationId, asOf])).toEqual(
      pages.map(({ observationId, asOf }) => [observationId, asOf]),
    );
    expect(bulk.slice(0, -1).map(({ knownTo }) => knownTo)).toEqual(bulk.slice(1).map(({ asOf }) => asOf));
    expect(bulk.at(-1)?.knownTo).toBeNull();
  });
});

describe('the dates', () => {
  const datesOf = async (every: string, from: string, to: string, more = '') => [
    ...new Set(
      (await panel(`factor=policy_rate&country=US&from=${from}&to=${to}&every=${every}${more}&limit=500`)).map(({ date }) => date),
    ),
  ];

  it('are days, weekdays, Fridays, or the last days of whole months and quarters', async () => {
    expect(await datesOf('day', '2024-02-27', '2024-03-02')).toEqual([
      '2024-02-27',
      '2024-02-28',
      '2024-02-29',
      '2024-03-01',
      '2024-03-02',
    ]);
    expect(await datesOf('business_day', '2024-03-01', '2024-03-05')).toEqual(['2024-03-01', '2024-03-04', '2024-03-05']);
    expect(await datesOf('week', '2024-03-01', '2024-03-16')).toEqual(['2024-03-01', '2024-03-08', '2024-03-15']);
    expect(await datesOf('month_end', '2024-01-31', '2024-03-30')).toEqual(['2024-01-31', '2024-02-29']);
    expect(await datesOf('quarter_end', '2023-12-31', '2024-06-29')).toEqual(['2023-12-31', '2024-03-31']);
  });

  it('stop today, and today counts what is known now', async () => {
    const rows = await panel('factor=policy_rate&country=US&from=2026-11-19&to=2027-01-31&every=day');
    expect(rows.map(({ date }) => date)).toEqual(['2026-11-19', '2026-11-20', '2026-11-21']);
    expect(rows.at(-1)?.asOf).toBe('2026-11-21T08:00:00.000Z');
  });

  it('begin long before anything was known, without another answer', async () => {
    const question = 'factor=nonfarm_payrolls&country=US&to=2020-12-31&every=day&limit=500';
    const [late] = await panel(`${question}&from=1900-01-01`);
    const day = late?.date ?? '';
    expect(await panel(`${question}&from=0100-01-01`)).toEqual(await panel(`${question}&from=${day}`));
    expect((await panel(`factor=nonfarm_payrolls&country=US&from=1990-01-01&to=${day}&every=day`)).map(({ date }) => date)).toEqual([day]);
  });

  it('take an hour in a zone, and the next valid moment if the zone skips that hour', async () => {
    const asOf = async (date: string, at: string) =>
      (await panel(`factor=policy_rate&country=US&from=${date}&to=${date}&every=day&at=${encodeURIComponent(at)}`))[0]?.asOf;
    expect(await asOf('2024-01-10', '16:00 America/New_York')).toBe('2024-01-10T21:00:00.000Z');
    expect(await asOf('2024-07-10', '16:00 America/New_York')).toBe('2024-07-10T20:00:00.000Z');
    // Clocks went from 02:00 to 03:00.
    expect(await asOf('2024-03-10', '02:30 America/New_York')).toBe('2024-03-10T07:00:00.000Z');
    // Clocks went from 02:00 back to 01:00, so the hour came twice.
    expect(await asOf('2024-11-03', '01:30 America/New_York')).toBe('2024-11-03T05:30:00.000Z');
  });
});

describe('a row', () => {
  it('counts days from the end and the middle of its period', async () => {
    const [row] = await panel('factor=nonfarm_payrolls&country=US&from=2020-05-31&to=2020-05-31&every=day');
    expect(row).toMatchObject({ period: '2020-04', periodEnd: '2020-04-30', eopLag: 31, mopLag: 46 });
  });

  it('is left out if it is not eligible and only eligible ones are asked for', async () => {
    const question = `factor=${FACTORS.join(',')}&from=2016-01-01&to=2026-10-31&limit=500`;
    const all = await panel(question);
    const eligible = await panel(`${question}&eligible_only=true`);
    expect(eligible).toEqual(all.filter(({ scoringEligible }) => scoringEligible));
    expect(eligible.length).toBeLessThan(all.length);
  });

  it('is the first print of the newest period if you ask for first prints', async () => {
    const rows = await panel('factor=nonfarm_payrolls&country=US&from=2020-01-01&to=2020-12-31&every=day&vintage=first&limit=500');
    expect(rows.length).toBeGreaterThan(300);
    const prints = await rowsOf<{ period: string; observationId: string; observedAt: string }>(
      service,
      '/observations?indicator_id=us_nonfarm_payrolls&vintage=first&limit=500&sort=period_end&order=asc',
    );
    for (const row of rows) expect(row.observationId).toBe(prints.findLast(({ observedAt }) => observedAt <= row.asOf)?.observationId);
    expect(new Set(rows.map(({ releaseNumber }) => releaseNumber))).toEqual(new Set([1]));
  });
});

describe('a question', () => {
  it('is refused with the nearest name if a name is unknown', async () => {
    expect(await refusal('/panels?factor=nonfarm_payrols&from=2020-01-01&to=2020-12-31')).toMatchObject({
      status: 400,
      details: { parameter: 'factor', nearest: 'nonfarm_payrolls' },
    });
    expect(await refusal('/panels?factor=policy_rate&country=germny&from=2020-01-01&to=2020-12-31')).toMatchObject({
      status: 400,
      details: { parameter: 'country', nearest: 'germany' },
    });
    expect(await refusal('/panels?factor=policy_rate&source_id=fredmd&from=2020-01-01&to=2020-12-31')).toMatchObject({
      status: 400,
      details: { parameter: 'source_id', nearest: 'fred_md' },
    });
    expect(await refusal('/panels?factor=policy_rate&entity=cb_fedd&from=2020-01-01&to=2020-12-31')).toMatchObject({
      status: 400,
      details: { parameter: 'entity', nearest: 'cb_fed' },
    });
  });

  it('is refused before it reads if it has more than five million cells', async () => {
    const { status, message } = await refusal(
      `/panels?factor=${[...canonicals.keys()].slice(0, 20).join(',')}&from=1000-01-01&to=2026-11-01&every=day`,
    );
    expect([status, message]).toEqual([400, expect.stringMatching(/^This panel has [\d,]+ cells .* The most is 5,000,000\./)]);
  });

  it('is refused if it names both countries and a group, or ends before it begins', async () => {
    expect(await refusal('/panels?factor=policy_rate&country=US&group=g7&from=2020-01-01&to=2020-12-31')).toMatchObject({
      status: 400,
      message: 'Send only one of country, entity and group. This request has country and group.',
    });
    expect(await refusal('/panels?factor=policy_rate&from=2020-01-02&to=2020-01-01')).toMatchObject({
      status: 400,
      details: { parameters: ['from', 'to'] },
    });
  });

  it('is refused if it names an hour for changes, which have their own', async () => {
    expect(await refusal('/panels?factor=policy_rate&from=2020-01-01&to=2020-12-31&every=change&at=16:00%20UTC')).toMatchObject({
      status: 400,
      details: { parameters: ['every', 'at'] },
    });
  });

  it('says why it has no row', async () => {
    const hintOf = async (path: string) => {
      const body = (await (await service.get(path)).json()) as {
        data: unknown[];
        meta: { hints?: { parameter: string; message: string }[] };
      };
      expect(body.data).toEqual([]);
      return body.meta.hints?.map(({ parameter }) => parameter);
    };
    expect(await hintOf('/panels?factor=nonfarm_payrolls&country=DE&from=2020-01-01&to=2020-12-31')).toEqual(['factor']);
    expect(await hintOf('/panels?factor=nonfarm_payrolls&country=US&from=1900-01-01&to=1900-12-31')).toEqual(['to']);
    expect(await hintOf('/panels?factor=nonfarm_payrolls&country=US&from=2027-01-01&to=2027-12-31')).toEqual(['from']);
    expect(await hintOf('/panels?factor=nonfarm_payrolls&country=US&from=2027-01-01&to=2027-12-31&every=change')).toEqual(['from']);
  });
});

describe('a panel with some of the entities that you name', () => {
  const hintsFor = async (path: string) => {
    const response = await service.get(path);
    const body = (await response.json()) as { data: unknown[]; meta: { hints?: { parameter: string; message: string }[] } };
    expect(body.data.length).toBeGreaterThan(0);
    return body.meta.hints ?? [];
  };

  it('names those that have no series of a factor', async () => {
    const question = 'from=2026-01-01&to=2026-10-31';
    const [hint, ...others] = await hintsFor(`/panels?factor=policy_rate&country=NO,US,CH&${question}`);
    expect(others).toEqual([]);
    expect(hint).toEqual({ parameter: 'country', message: expect.stringMatching(/^No series of policy_rate: CH, NO\. .*no row/) });
    expect(await hintsFor(`/panels?factor=policy_rate&country=GB,US&${question}`)).toEqual([]);
    expect(await hintsFor(`/panels?factor=policy_rate&group=g7&${question}`)).toEqual([]);
    expect(await hintsFor(`/panels?factor=policy_rate,nonfarm_payrolls&country=GB,US&${question}`)).toEqual([
      { parameter: 'country', message: expect.stringMatching(/^No series of nonfarm_payrolls: GB\./) },
    ]);
    expect(await hintsFor(`/panels?factor=policy_rate&entity=us,company_9999999001&${question}`)).toEqual([
      { parameter: 'entity', message: expect.stringMatching(/^No series of policy_rate: company_9999999001\./) },
    ]);
    // The next page has no hint: the first one gave it.
    const first = await service.get(`/panels?factor=policy_rate&country=NO,US&${question}&limit=2`);
    const { meta } = (await first.json()) as { meta: { pagination: { next_cursor: string } } };
    const next = `/panels?factor=policy_rate&country=NO,US&${question}&limit=2&cursor=${meta.pagination.next_cursor}`;
    expect(await hintsFor(next)).toEqual([]);
  });
});

describe('factors of which some have a cadence and some have none', () => {
  it('share a panel', async () => {
    const rows = await panel('factor=dividend_per_share,price_close&entity=company_9999999786&from=2026-01-01&to=2026-10-31');
    expect([...new Set(rows.map(({ factor }) => factor))].toSorted()).toEqual(['dividend_per_share', 'price_close']);
  });
});

describe('a factor that may not be redistributed', () => {
  it('is named on the public route under the parameter that you sent, alone or beside others', async () => {
    const dates = 'from=2026-01-01&to=2026-10-31';
    const hintsFor = async (factor: string) => {
      const response = await service.get(`/public/panels?factor=${factor}&entity=company_9999999786&${dates}`);
      const { data, meta } = (await response.json()) as { data: unknown[]; meta: { hints?: { parameter: string; message: string }[] } };
      return [data.length > 0, meta.hints];
    };
    const withheld = { parameter: 'factor', message: expect.stringMatching(/^Withheld: dividend_per_share\. .*rights -- grant dividends/) };
    expect(await hintsFor('dividend_per_share')).toEqual([false, [withheld]]);
    expect(await hintsFor('dividend_per_share,price_close')).toEqual([true, [withheld]]);
  });
});

describe('a name that belongs to another parameter', () => {
  it('is refused with what to send: a series as its factor and country, an entity as an entity', async () => {
    const dates = 'from=2026-01-01&to=2026-10-31';
    expect(await refusal(`/panels?factor=us_nonfarm_payrolls&${dates}`)).toMatchObject({
      status: 400,
      message: 'us_nonfarm_payrolls is a series. Send its factor and its country: factor=nonfarm_payrolls&country=US.',
      details: { parameter: 'factor', nearest: 'nonfarm_payrolls' },
    });
    const ofContract = await refusal(`/panels?factor=cftc_099741_cot_open_interest&${dates}`);
    expect(ofContract.message).toMatch(/factor=cot_open_interest&entity=cftc_099741\.$/);
    expect(await refusal(`/panels?factor=price_close&country=ZZSMA&${dates}`)).toMatchObject({
      status: 400,
      message: 'There is no country ZZSMA. It is an entity: send entity=ZZSMA.',
    });
  });
});

describe('a group', () => {
  it('has its members of each date', async () => {
    const memberships = parse<{ group: string; iso2: string; from: string; to: string }>(
      readFileSync('data/reference/country_memberships.csv'),
      {
        columns: true,
      },
    );
    const isMember = ({ entityId, date }: PanelRow, group: string) =>
      memberships.some(
        (one) => one.group === group && one.iso2.toLowerCase() === entityId && one.from <= date && (one.to === '' || date <= one.to),
      );
    const question = 'factor=business_confidence,economic_sentiment&from=2019-12-01&to=2026-10-31&limit=500';
    const all = await panel(question);
    for (const group of ['g7', 'eu', 'ea']) {
      const members = await panel(`${question}&group=${group}`);
      expect(members).toEqual(all.filter((row) => isMember(row, group)));
      expect(members.length).toBeGreaterThan(0);
    }
  });
});

describe('a key of the free tier', () => {
  it('sees only rows of the periods in its window, and a hint that says so', async () => {
    const response = await service.get('/panels?factor=policy_rate&country=US&from=2022-01-01&to=2026-10-31', { key: 'free' });
    const { meta } = (await response.json()) as { meta: { hints?: { parameter: string }[] } };
    expect(meta.hints?.map(({ parameter }) => parameter)).toEqual(['from']);
    const question = 'factor=nonfarm_payrolls,policy_rate&from=2022-01-01&to=2026-10-31&limit=500';
    const [full, free] = [await panel(question), await panel(question, 'free')];
    expect(free).toEqual(full.filter(({ periodEnd }) => periodEnd >= '2024-11-21'));
    expect(free.length).toBeGreaterThan(0);
  });
});

describe('public panels', () => {
  it('have the rows whose rights allow redistribution, without their rights', async () => {
    const question = `factor=${FACTORS.join(',')}&from=2024-01-01&to=2026-10-31&limit=500`;
    const full = await rowsOf<PanelRow & { rights?: { redistributable: boolean } }>(service, `/panels?${question}`);
    const open = await rowsOf<PanelRow>(service, `/public/panels?${question}`);
    expect(open).toEqual(full.filter(({ rights }) => rights?.redistributable === true).map(({ rights: _, ...row }) => row));
    expect(open.length).toBeGreaterThan(0);
  });
});
