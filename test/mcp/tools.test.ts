// The tools over the sample, called by the protocol's own client: the service's values, as of the moment asked for, within the budget.
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServiceClient } from '../../src/client/service.ts';
import { BUDGET, LEAST_BUDGET, mostRows } from '../../src/mcp/answer.ts';
import { openMcpServer } from '../../src/mcp/server.ts';
import { type KeyName, type RunningService, startSampleService } from '../service.ts';
import { isLong } from '../suite.ts';

let service: RunningService;
const open: Client[] = [];
beforeAll(async () => {
  service = await startSampleService();
});
afterAll(async () => {
  for (const client of open) await client.close();
  await service.stop();
});

interface Said {
  readonly isError: boolean;
  readonly text: string;
  readonly bytes: number;
}

type Call = (name: string, input: Record<string, unknown>) => Promise<Said>;

async function connect(budget = BUDGET, key: KeyName | null = 'full', url = service.url): Promise<Call> {
  const server = openMcpServer({
    service: openServiceClient(url, key === null ? null : service.keys[key]),
    guides: [],
    budget,
    version: '0',
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  const client = new Client({ name: 'test', version: '0' });
  await client.connect(ours);
  open.push(client);
  return async (name, input) => {
    const result = await client.callTool({ name, arguments: input });
    const [content] = result.content as readonly unknown[] as [{ text: string }];
    return {
      isError: result.isError === true,
      text: content.text,
      bytes: Buffer.byteLength(JSON.stringify({ content: result.content, isError: true })),
    };
  };
}

/** The rows of an answer, what all share included. */
function rowsOf({ text }: Said): { count: number; rows: Record<string, string>[] } {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.startsWith('rows: '));
  const shared = Object.fromEntries(
    [...(lines.find((line) => line.startsWith('all rows: ')) ?? '').matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
  const rows = parse<Record<string, string>>(lines.slice(at + 1).join('\n'), { columns: true });
  return { count: Number(/^rows: (\d+)/.exec(lines[at] ?? '')?.[1]), rows: rows.map((row) => ({ ...shared, ...row })) };
}

const firstLine = ({ text }: Said) => text.split('\n', 1)[0];

describe('panel', () => {
  it('has what was known on each date', async () => {
    const said = await (await connect())('panel', { factor: 'nonfarm_payrolls', country: 'US', from: '2020-05-31', to: '2020-06-30' });
    expect(rowsOf(said).rows).toMatchObject([
      { date: '2020-05-31', entity: 'us', period: '2020-04', value: '133983', known: '2020-05-31' },
      { date: '2020-06-30', entity: 'us', period: '2020-05', known: '2020-06-30' },
    ]);
  });

  it('without a row says why', async () => {
    const said = await (await connect())('panel', { factor: 'nonfarm_payrolls', country: 'DE', from: '2020-05-31', to: '2020-06-30' });
    expect([rowsOf(said).count, said.text.includes('hint: None of these entities has a series of nonfarm_payrolls.')]).toEqual([0, true]);
  });
});

describe('series', () => {
  it('has the values known then, and no later ones', async () => {
    const call = await connect();
    const input = { indicator: 'us_nonfarm_payrolls', source: 'fred_md', start: '2020-04-01', end: '2020-04-30' };
    const then = await call('series', { ...input, as_of: '2020-05-31' });
    const now = await call('series', input);
    expect([firstLine(then), rowsOf(then).rows]).toEqual([
      'as_of: 2020-05-31T23:59:59.999Z',
      [{ indicator: 'us_nonfarm_payrolls', source: 'fred_md', period: '2020-04', value: '133983', known: '2020-05-31' }],
    ]);
    expect(rowsOf(now).rows).toMatchObject([{ value: '132660', known: '2025-09-30' }]);
    expect([then.text.includes('; newest 2020-04, '), now.text.includes('; newest 2026-09, ')]).toEqual([true, true]);
  });

  it('has the first print if you ask for it', async () => {
    const call = await connect();
    const first = await call('series', {
      indicator: 'us_nonfarm_payrolls',
      source: 'fred_md',
      start: '2020-04-01',
      end: '2020-04-30',
      print: 'first',
    });
    expect(rowsOf(first).rows).toMatchObject([{ value: '133983' }]);
  });

  it('describes each series, and how far you can trust it', async () => {
    const call = await connect();
    const stale = await call('series', { indicator: 'us_dollar_index_broad' });
    const ceased = await call('series', { indicator: 'us_dollar_index_major' });
    expect(stale.text).toContain('stale, not eligible for scoring');
    expect(ceased.text).toContain('ceased with 2019-12, goes on as us_dollar_index_advanced');
  });

  it('with an unknown name reports it in the service’s words, and is no error', async () => {
    const said = await (await connect())('series', { indicator: 'us_nonfarm_payrols' });
    expect([said.isError, said.text.includes('hint: There is no indicator us_nonfarm_payrols.'), rowsOf(said).count]).toEqual([
      false,
      true,
      0,
    ]);
  });

  it('longer than the cached part is counted in full', async () => {
    const indicator = ['peg', 'price_to_book', 'price_to_earnings', 'price_to_sales'].map((name) => `company_9999999002_${name}`).join(',');
    const lines = (await (await service.get(`/observations?indicator_id=${indicator}&format=ndjson&limit=100000`)).text()).split('\n');
    const count = lines.filter(Boolean).length;
    expect(count).toBeGreaterThan(mostRows(LEAST_BUDGET));
    expect(rowsOf(await (await connect(LEAST_BUDGET))('series', { indicator })).count).toBe(count);
  });

  it('within a small budget can be walked to its end by the named calls, every row once', async () => {
    const call = await connect(LEAST_BUDGET);
    const whole = (await (await service.get('/observations?indicator_id=us_nonfarm_payrolls&source_id=fred_md&limit=500')).json()) as {
      data: { period: string; actual: number }[];
    };
    const seen = new Map<string, string>();
    let input: Record<string, unknown> | null = { indicator: 'us_nonfarm_payrolls', source: 'fred_md' };
    let calls = 0;
    for (; input !== null && calls < 50; calls++) {
      const said = await call('series', input);
      expect(said.bytes).toBeLessThanOrEqual(LEAST_BUDGET);
      for (const { period = '', value = '' } of rowsOf(said).rows) seen.set(period, value);
      const next = /For the others: series (\{.*\})$/m.exec(said.text)?.[1];
      input = next === undefined ? null : (JSON.parse(next) as Record<string, unknown>);
    }
    expect(calls).toBeGreaterThan(2);
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(whole.data.map(({ period, actual }) => [period, String(actual)])));
  });
});

describe('vintages', () => {
  it('are every print with the span in which it was in force', async () => {
    const said = await (await connect())('vintages', { indicator: 'us_nonfarm_payrolls', source: 'fred_md', period: '2020-04' });
    expect(rowsOf(said).rows.map(({ value, known, until }) => [value, known, until])).toEqual([
      ['132660', '2025-09-30', ''],
      ['133589', '2020-06-30', '2025-09-30'],
      ['133983', '2020-05-31', '2020-06-30'],
    ]);
  });
});

describe('screen', () => {
  it('has the rows of the service in its order, with the number and reason of excluded rows', async () => {
    const query = 'filter=consumer_confidence:gt:-40&rank_by=consumer_confidence:desc&as_of=2026-10-30';
    const { data, meta } = (await (await service.get(`/public/screener?${query}`)).json()) as {
      data: { entityId: string; values: Record<string, { value: number }> }[];
      meta: { screener: Record<string, number> };
    };
    const said = await (await connect())('screen', {
      filter: 'consumer_confidence:gt:-40',
      rank_by: 'consumer_confidence:desc',
      as_of: '2026-10-30',
    });
    expect(rowsOf(said).rows.map((row) => [row['entity'], Number(row['consumer_confidence'])])).toEqual(
      data.map(({ entityId, values }) => [entityId, values['consumer_confidence']?.value]),
    );
    expect(data.length).toBeGreaterThan(5);
    expect(said.text).toContain(
      `${meta.screener['matched']} of ${meta.screener['evaluated']} countries match; ${meta.screener['excludedMissing']} lack a value`,
    );
  });

  it('with an unreadable filter is an error that names the term', async () => {
    const said = await (await connect())('screen', { filter: 'consumer_confidence>3' });
    expect([said.isError, said.text]).toEqual([
      true,
      'as_of: now (none was given)\nbad_request: The parameter `filter` has the term `consumer_confidence>3`, which is not field:op:value.',
    ]);
  });
});

describe('company', () => {
  it('has its statements as filed by then: before the split and after it', async () => {
    const call = await connect();
    const input = { company: 'ZZSMB', period: 'quarterly', start: '2021-03-31', end: '2021-03-31' };
    const before = rowsOf(await call('company', { ...input, as_of: '2021-05-31' })).rows;
    const after = rowsOf(await call('company', { ...input, as_of: '2022-05-31' })).rows;
    expect([before[0]?.['epsDiluted'], after[0]?.['epsDiluted']]).toEqual(['1.5', '0.75']);
    expect([before[0]?.['restated'], after[0]?.['restated']]).toEqual(['false', 'true']);
  });

  it('has its identity and its valuation', async () => {
    const said = await (await connect())('company', { company: 'ZZSMB' });
    expect(said.text).toContain('Sample Software Inc (ZZSMB, XNAS, CIK 9999999002): Services');
    expect(said.text).toMatch(/multiples: priceToEarnings=24\.2/);
  });
});

describe('explain', () => {
  it('leads from a value to the publisher’s file, and gives the reason if it is not eligible', async () => {
    const said = await (await connect())('explain', {
      indicator: 'us_nonfarm_payrolls',
      source: 'fred_md',
      period: '2020-04',
      as_of: '2020-06-30',
    });
    expect(said.text).toContain('2020-04: 133589 thousands, vintage 2020-06-30');
    expect(said.text).toContain('file: sha256 6cf1fbe3fc0382231138050d9019b8ed5f9aa169a8d2288fc724e09187e60de3');
    expect(said.text).toMatch(/^(not )?eligible for scoring/m);
    const now = await (await connect())('explain', { indicator: 'us_nonfarm_payrolls', source: 'fred_md', period: '2020-04' });
    expect(now.text).toContain('not eligible for scoring: stale');
  });

  it('lists the inputs of a computed value', async () => {
    const said = await (await connect())('explain', { indicator: 'us_payrolls_mom_change', period: '2020-05' });
    expect(rowsOf(said).count).toBe(2);
  });

  it('without an identifier says what it needs', async () => {
    expect((await (await connect())('explain', {})).text).toContain('Give an observation, or an indicator.');
  });
});

describe('find, coverage, calendar', () => {
  it('list the names, the data and the releases', async () => {
    const call = await connect();
    const payrolls = rowsOf(await call('find', { query: 'payroll' })).rows.map(({ indicator }) => indicator);
    expect(payrolls.slice(0, 2)).toEqual(['us_nonfarm_payrolls', 'us_payrolls_mom_change']);
    expect((await call('find', { query: 'unemploymnt' })).text).toContain('hint: No exact match. These results have similar words.');
    expect(rowsOf(await call('find', { query: 'germany', kind: 'entity' })).rows).toContainEqual(
      expect.objectContaining({ entity: 'de', name: 'Germany' }),
    );
    expect(rowsOf(await call('find', { query: 'software', kind: 'company' })).rows).toMatchObject([{ ticker: 'ZZSMB' }]);
  });

  it('list all names, even if a page of the service has fewer', async () => {
    let count = 0;
    for (let cursor = ''; ; ) {
      const page = (await (await service.get(`/indicators?q=e&limit=100${cursor}`)).json()) as {
        data: unknown[];
        meta: { pagination: { next_cursor: string | null } };
      };
      count += page.data.length;
      if (page.meta.pagination.next_cursor === null) break;
      cursor = `&cursor=${encodeURIComponent(page.meta.pagination.next_cursor)}`;
    }
    expect(count).toBeGreaterThan(500);
    expect(rowsOf(await (await connect())('find', { query: 'e' })).count).toBe(count);
  });

  it('count as the service does', async () => {
    const call = await connect();
    const { data } = (await (await service.get('/coverage')).json()) as { data: { totals: { series: number }; countries: unknown[] } };
    const all = await call('coverage', {});
    expect([all.text.includes(`${data.totals.series} series`), rowsOf(all).count]).toEqual([true, data.countries.length]);
    const us = (await (await service.get('/countries/us')).json()) as { data: { indicatorCount: number } };
    const rows = rowsOf(await call('coverage', { country: 'US' })).rows;
    expect(new Set(rows.map(({ indicator }) => indicator)).size).toBe(us.data.indicatorCount);
  });

  it('have the releases of a span in order, future ones without a value', async () => {
    const said = rowsOf(await (await connect())('calendar', { start: '2026-11-01', end: '2027-01-31', country: 'US' }));
    const days = said.rows.map(({ at = '' }) => at);
    expect(days).toEqual(days.toSorted());
    expect(said.rows.filter(({ status, actual }) => status === 'scheduled' && actual !== '' && actual !== undefined)).toEqual([]);
    expect(said.rows.some(({ status }) => status === 'scheduled')).toBe(true);
  });
});

describe('the service behind the tools', () => {
  it('checks the key: a missing one, and one with another scope', async () => {
    const none = await (await connect(BUDGET, null))('coverage', {});
    const ops = await (await connect(BUDGET, 'ops'))('coverage', {});
    expect([none.isError, /^unauthorized: /m.test(none.text), ops.isError, /^forbidden: /m.test(ops.text)]).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it('that does not answer is reported, with a remedy', async () => {
    const said = await (await connect(BUDGET, 'full', 'http://127.0.0.1:9'))('coverage', { as_of: '2020-05-31' });
    expect(said.text).toBe(
      'as_of: 2020-05-31\nunreachable: The service at http://127.0.0.1:9 does not answer. Check that it runs (npm start) and that the address is right.',
    );
  });

  it('withholds from a free key data older than its window', async () => {
    const said = await (await connect(BUDGET, 'free'))('series', {
      indicator: 'us_nonfarm_payrolls',
      source: 'fred_md',
      end: '2021-12-31',
    });
    expect([rowsOf(said).count, said.text.includes('hint: ')]).toEqual([0, true]);
  });
});

describe('an unknown tool input', () => {
  it.each([
    [
      'a name it does not know',
      { country: 'US' },
      /^bad_request: Unknown parameter country\.\nAllowed parameters: indicator_id, entity, source_id, start_date, end_date, as_of, vintage, include_backfill\.$/m,
    ],
    ['a name as long as it likes', { ['x'.repeat(100_000)]: 1 }, /^bad_request: Unknown parameter xxx/m],
    ['a day that is none', { start: '2020-02-30' }, /^bad_request: .*Invalid ISO date/m],
    ['a choice that there is not', { vintage: 'newest' }, /expected one of "latest"\|"first"/m],
    ['two values of one parameter', { indicator_id: 'us_gdp_nominal' }, /^bad_request: indicator_id has two different values/m],
  ])('%s: is refused by name, within the budget', async (_, input, message) => {
    const said = await (await connect())('series', { indicator: 'us_nonfarm_payrolls', as_of: '2020-05-31', ...input });
    expect([said.isError, firstLine(said), message.test(said.text), said.bytes <= BUDGET]).toEqual([true, 'as_of: 2020-05-31', true, true]);
  });
});

describe('empty inputs from clients', () => {
  it.each([
    ['company', { company: 'ZZSMB' }, ['statement', 'period', 'basis', 'start_date', 'end_date', 'as_of', 'start', 'end']],
    ['series', { indicator_id: 'us_nonfarm_payrolls' }, ['entity', 'source_id', 'start_date', 'end_date', 'vintage', 'as_of']],
    ['screen', { filter: 'consumer_confidence:gt:-40' }, ['universe', 'rank_by', 'columns', 'country', 'sector', 'eligible_only', 'as_of']],
    ['coverage', {}, ['country', 'as_of']],
  ])('%s with null or an empty value counts as absent', async (name, input, optional) => {
    const call = await connect();
    const bare = await call(name, input);
    for (const nothing of [null, '', '  ']) {
      const filled = await call(name, { ...input, ...Object.fromEntries(optional.map((one) => [one, nothing])) });
      expect([filled.isError, filled.text]).toEqual([false, bare.text]);
    }
  });

  it('are refused for a required input, with the valid names', async () => {
    const said = await (await connect())('company', { company: null, as_of: 'null' });
    expect([said.isError, said.text]).toEqual([
      true,
      expect.stringMatching(
        /^as_of: none \(the value given is not a day or instant\)\nbad_request: [^]*at company\nAllowed parameters: company, /,
      ),
    ]);
  });

  it('as null arguments count as none', async () => {
    const server = openMcpServer({ service: openServiceClient(service.url, service.keys.full), guides: [], budget: BUDGET, version: '0' });
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await server.connect(theirs);
    const answers = new Map<unknown, (answer: unknown) => void>();
    Object.assign(ours, { onmessage: (message: { id?: unknown }) => answers.get(message.id)?.(message) });
    await ours.start();
    const sent = (id: number, method: string, params: unknown) =>
      new Promise((resolve) => {
        answers.set(id, resolve);
        void ours.send({ jsonrpc: '2.0', id, method, params } as never);
      });
    const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '0' } };
    await sent(1, 'initialize', client);
    await ours.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect(await sent(2, 'tools/call', { name: 'coverage', arguments: null })).toMatchObject({
      result: { content: [{ text: expect.stringMatching(/^as_of: \d{4}/) }] },
    });
    await server.close();
  });

  it('under older names of parameters get the same answer', async () => {
    const call = await connect();
    const same = async (name: string, older: Record<string, unknown>, present: Record<string, unknown>) => {
      const [one, other] = [await call(name, older), await call(name, present)];
      expect([name, one.isError, one.text]).toEqual([name, false, other.text]);
    };
    const span = { start_date: '2020-01-01', end_date: '2020-12-31' };
    await same(
      'series',
      { indicator: 'us_nonfarm_payrolls', source: 'fred_md', start: span.start_date, end: span.end_date, print: 'first' },
      { indicator_id: 'us_nonfarm_payrolls', source_id: 'fred_md', ...span, vintage: 'first' },
    );
    await same('find', { query: 'payroll' }, { q: 'payroll' });
    await same('calendar', { indicator: 'nonfarm_payrolls', ...span }, { indicator_id: 'nonfarm_payrolls', ...span });
    await same(
      'screen',
      { filter: 'consumer_confidence:gt:-40', include_ineligible: true },
      { filter: 'consumer_confidence:gt:-40', eligible_only: false },
    );
    await same(
      'explain',
      { indicator: 'us_nonfarm_payrolls', source: 'fred_md', period: '2020-04' },
      { indicator_id: 'us_nonfarm_payrolls', source_id: 'fred_md', period: '2020-04' },
    );
  });
});

describe('generated calls', () => {
  const indicators = fc.constantFrom(
    'us_nonfarm_payrolls',
    'cpi_inflation_yoy',
    'consumer_confidence',
    'fx_eur_usd',
    'price_close',
    'nonsense',
    'x'.repeat(1900),
  );
  const asOf = fc.option(fc.constantFrom('2019-01-01', '2020-05-31', '2021-07-01T12:00:00Z', '2026-11-01', '2999-01-01', 'yesterday'), {
    nil: undefined,
  });
  const day = fc.option(fc.constantFrom('2015-01-01', '2020-04-01', '2026-06-30'), { nil: undefined });
  const where = {
    indicator: indicators,
    entity: fc.option(fc.constantFrom('us', 'de', 'nowhere'), { nil: undefined }),
    start: day,
    end: day,
    as_of: asOf,
  };
  const calls = fc.oneof(
    fc.record({ name: fc.constant('series'), input: fc.record({ ...where, print: fc.constantFrom('latest', 'first') }) }),
    fc.record({ name: fc.constant('vintages'), input: fc.record(where) }),
    fc.record({
      name: fc.constant('find'),
      input: fc.record({
        query: fc.constantFrom('a', 'united', 'software', 'é', 'zzz'),
        kind: fc.constantFrom('indicator', 'entity', 'company'),
        as_of: asOf,
      }),
    }),
    fc.record({
      name: fc.constant('screen'),
      input: fc.record({
        filter: fc.constantFrom('consumer_confidence:gt:-40', 'price_close:gt:0', 'nonsense:gt:1', ';'),
        universe: fc.constantFrom('countries', 'entities', 'companies'),
        as_of: asOf,
      }),
    }),
    fc.record({
      name: fc.constant('company'),
      input: fc.record({
        company: fc.constantFrom('ZZSMB', '9999999003', 'nobody'),
        statement: fc.constantFrom('income', 'balance_sheet', 'cash_flow'),
        period: fc.constantFrom('annual', 'quarterly', 'ttm'),
        as_of: asOf,
      }),
    }),
    fc.record({
      name: fc.constant('calendar'),
      input: fc.record({ start: day, end: day, country: fc.constantFrom('US', 'XX'), as_of: asOf }),
    }),
    fc.record({ name: fc.constant('explain'), input: fc.record({ indicator: indicators, as_of: asOf }) }),
    fc.record({
      name: fc.constant('coverage'),
      input: fc.record({ country: fc.option(fc.constantFrom('US', 'DE', 'nowhere'), { nil: undefined }), as_of: asOf }),
    }),
  );

  it('never exceed the budget, and always have their cutoff', async () => {
    const small = await connect(LEAST_BUDGET);
    const usual = await connect();
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(calls, fc.boolean(), async ({ name, input }, isSmall) => {
        const said = await (isSmall ? small : usual)(name, JSON.parse(JSON.stringify(input)) as Record<string, unknown>);
        expect(said.bytes).toBeLessThanOrEqual(isSmall ? LEAST_BUDGET : BUDGET);
        expect(firstLine(said)).toMatch(
          input.as_of === undefined ? /^as_of: (?:now \(none was given\)|\d{4}-\d\d-\d\dT[\d:.]+Z)$/ : /^as_of: (?!now)./,
        );
        const kind = `${name} ${said.isError ? 'refused' : 'answered'}`;
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
      }),
      { numRuns: isLong ? 200 : 60, seed: 20_261_127 },
    );
    // Each of them answers some, so that it is not refusals alone that are short.
    for (const name of ['series', 'vintages', 'find', 'screen', 'company', 'calendar', 'explain', 'coverage'])
      expect(seen.get(`${name} answered`)).toBeGreaterThan(0);
  });
});
