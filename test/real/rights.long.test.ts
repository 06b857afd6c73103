// The rights of a vendor's real quotes, and of what is computed from them and real filings: what is shown where without a grant, with one, and after
// its revocation, each made by the command itself. What the multiples are is told by another vendor (sp500/published_multiples).
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decoded, type Form, numbersIn, type Row } from '../contract/decoded.ts';
import { openPipeline, type Pipeline, REAL_DATA } from '../pipeline.ts';
import { type ListBody, type RunningService, startService } from '../service.ts';
import { multipleAsOf, MULTIPLES } from '../valuations/valued.ts';

const COMPANIES = { AAPL: '0000320193', KMB: '0000055785' } as const;
type Ticker = keyof typeof COMPANIES;
const idOf = (ticker: Ticker) => `company_${COMPANIES[ticker]}`;
/** Price and price to earnings in constituents-financials_2024-10-10.csv: the closes of the day before. */
const PUBLISHED: Readonly<Record<Ticker, readonly [price: number, priceToEarnings: number]>> = {
  AAPL: [229.54, 34.990852],
  KMB: [142.18, 21.063704],
};
const AS_OF = '2024-10-10T23:59:59.999Z';
const NOW = '2026-11-21T12:00:00.000Z';

const FORMS = ['json', 'csv', 'ndjson', 'arrow', 'parquet'] as const satisfies readonly Form[];
const isAsked = existsSync(join(REAL_DATA, 'sp500')) && existsSync(join(REAL_DATA, 'sec'));

/** What an answer shows of a company: closes as they came, and multiples. */
interface Shown {
  readonly closes: number;
  readonly multiples: number;
  /** The different words of `rights.note`. */
  readonly notes: readonly unknown[];
}

describe.skipIf(!isAsked)('the quotes of a vendor and the multiples of real companies', () => {
  let pipeline: Pipeline;
  let service: RunningService;
  /** As the snapshot has them, whatever is granted. */
  const ofApple = new Map<string, number>();

  beforeAll(async () => {
    pipeline = await openPipeline();
    const paths = Object.entries(COMPANIES).flatMap(([ticker, cik]) => [
      `sec/companyfacts/CIK${cik}.json`,
      `sec/submissions/CIK${cik}.json`,
      `prices/daily_json/${ticker}.json`,
    ]);
    await pipeline.run(Object.fromEntries(paths.map((path) => [path, readFileSync(join(REAL_DATA, path))])), '2026-11-01T00:00:00.000Z');
    for (const slug of ['price_to_earnings', 'price_to_book']) {
      const said = await multipleAsOf(pipeline, Number(COMPANIES.AAPL), slug, '2024-10-10', AS_OF);
      if (said?.value === null || said?.value === undefined) throw new Error(`there is no ${slug} of Apple`);
      ofApple.set(slug, said.value);
    }
    service = await startService(pipeline.dataDir, { now: Date.parse(NOW) });
  });
  afterAll(async () => {
    await service.stop();
    await pipeline.remove();
  });

  /** `npm run rights -- …`; a running server looks at the file once a second. */
  async function rights(...words: readonly string[]): Promise<string> {
    const said = execFileSync('npm', ['run', '--silent', 'rights', '--', ...words], {
      cwd: resolve(import.meta.dirname, '../..'),
      env: { ...process.env, DATA_DIR: pipeline.dataDir },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    await service.follow();
    return said;
  }

  // Eight days of trading. Kimberly-Clark changed the tag of its dividends within the year: no yield then.
  const RANGE = 'start_date=2024-10-01&end_date=2024-10-10';
  const DAYS = 8;
  const ASKED = MULTIPLES.filter((slug) => slug !== 'dividend_yield');
  const ENTITIES = `entity=${idOf('AAPL')},${idOf('KMB')}`;
  const DERIVED = `/derived-observations?indicator_id=${ASKED.join(',')}&${ENTITIES}&${RANGE}`;
  const QUESTION = `indicator_id=price_close,${ASKED.join(',')}&${ENTITIES}&${RANGE}`;
  const SCREEN = `/public/screener?universe=companies&eligible_only=false&filter=price_to_earnings:gt:0&columns=price_to_book&as_of=${AS_OF}`;

  const listed = async (path: string): Promise<ListBody> => {
    const response = await service.get(path);
    expect([path, response.status]).toEqual([path, 200]);
    return (await response.json()) as ListBody;
  };
  const isClose = (row: Row) => String(row['indicatorId']).endsWith('price_close');
  const isNumber = (value: unknown) => value !== null && value !== '' && value !== undefined && Number.isFinite(Number(value));
  const noteOf = (row: Row): unknown => {
    const held = row['rights'];
    const said: unknown = typeof held === 'string' && held !== '' ? JSON.parse(held) : held;
    return Object(said)['note'] ?? null;
  };

  /** What each form of a list of observations shows; all of them the same. */
  async function shownBy(path: string): Promise<Shown> {
    const all: Shown[] = [];
    for (const form of FORMS) {
      const response = await service.get(`${path}&limit=500&format=${form}`);
      expect([path, form, response.status]).toEqual([path, form, 200]);
      const rows = await decoded(form, Buffer.from(await response.arrayBuffer()));
      const numbers = rows.filter((row) => isNumber(row['actual'] ?? row['valueNumeric']));
      const notes = [...new Set(numbers.map(noteOf))];
      all.push({ closes: numbers.filter(isClose).length, multiples: numbers.filter((row) => !isClose(row)).length, notes });
    }
    const [first] = all;
    if (first === undefined) throw new Error('no form was asked');
    expect([path, all]).toEqual([path, FORMS.map(() => first)]);
    return first;
  }

  /** Which of Apple's multiples of the day stand anywhere in a list of companies, form by form. */
  async function foundIn(path: string, forms: readonly Form[]): Promise<readonly string[]> {
    const all: string[] = [];
    for (const form of forms) {
      const response = await service.get(`${path}&limit=500${form === 'json' ? '' : `&format=${form}`}`);
      expect([path, form, response.status]).toEqual([path, form, 200]);
      const numbers = new Set(numbersIn(await decoded(form, Buffer.from(await response.arrayBuffer()))).map(({ number }) => number));
      for (const [slug, value] of ofApple) if (numbers.has(value)) all.push(`${form} ${slug}`);
    }
    return all;
  }
  const COMPANY_LIST = `/public/companies?as_of=${AS_OF}`;
  const pairs = (forms: readonly Form[]) => forms.flatMap((form) => [`${form} price_to_earnings`, `${form} price_to_book`]);

  interface Company {
    readonly price: number | null;
    readonly marketCap: number | null;
    readonly multiples: Readonly<Record<string, number | null>>;
    readonly scores: Readonly<Record<string, number | null>>;
    readonly rightsNote: string | null;
  }
  const company = async (ticker: Ticker): Promise<Company> => {
    const { data } = await listed(`/public/companies?ticker=${ticker}&as_of=${AS_OF}`);
    expect(data).toHaveLength(1);
    return data[0] as unknown as Company;
  };
  const screened = async () => {
    const { data, meta } = await listed(SCREEN);
    return { entities: data.map((row) => String(row['entityId'])).toSorted(), hints: meta.hints ?? [] };
  };
  const fields = async () => {
    const { data } = await listed('/public/screener/filters?limit=500');
    return data.map((row) => String(row['field'])).filter((field) => MULTIPLES.some((slug) => slug === field));
  };
  const availability = async () => {
    const { data } = (await (await service.get('/derived-indicators/price_to_earnings')).json()) as { readonly data: Row };
    return data['availability'];
  };

  /** Of sources.csv. */
  const LICENCE_NOTE = 'Vendor quotes are not redistributable by default; rights may differ per series';
  const WITHHELD = 'Withheld: price_to_earnings. Values from quotes (Vendor terms) may not be redistributed';

  async function expectNothingPublic(note: RegExp): Promise<void> {
    expect(await shownBy(`/public/observations?${QUESTION}`)).toEqual({ closes: 0, multiples: 0, notes: [] });
    const { price, marketCap, multiples, scores, rightsNote } = await company('AAPL');
    expect([price, marketCap, scores['value'], Object.values(multiples)]).toEqual([null, null, null, MULTIPLES.map(() => null)]);
    expect(rightsNote).toMatch(note);
    expect([await foundIn(COMPANY_LIST, ['json']), await foundIn(SCREEN, FORMS)]).toEqual([[], []]);
    const { entities, hints } = await screened();
    expect(entities).toEqual([]);
    expect(hints[0]).toMatchObject({ parameter: 'filter', message: expect.stringContaining(WITHHELD) });
    expect(hints[0]?.message).toContain('npm run rights -- grant quotes --note TEXT --redistribute');
    expect(await fields()).toEqual([]);
  }

  async function expectNothingComputed(): Promise<void> {
    expect(await shownBy(DERIVED)).toEqual({ closes: 0, multiples: 0, notes: [] });
    expect((await listed(DERIVED)).meta.hints).toEqual([
      { parameter: 'indicator_id', message: expect.stringContaining('npm run rights -- grant quotes --note TEXT') },
    ]);
    // A vendor's closes stand on the full surface, with their rights.
    expect(await shownBy(`/observations?${QUESTION}`)).toEqual({ closes: 2 * DAYS, multiples: 0, notes: [LICENCE_NOTE] });
    expect(await availability()).toBe('internal_only');
    await expectNothingPublic(/^Prices (?!are granted)/);
  }

  async function expectFullSurface(note: string): Promise<void> {
    const multiples = 2 * DAYS * ASKED.length;
    expect(await shownBy(DERIVED)).toEqual({ closes: 0, multiples, notes: [note] });
    expect((await listed(DERIVED)).meta.hints).toBeUndefined();
    expect(await shownBy(`/observations?${QUESTION}`)).toEqual({ closes: 2 * DAYS, multiples, notes: [note] });
    expect(await availability()).toBe('public');
  }

  const anObservation = async () => String((await listed(`${DERIVED}&limit=1`)).data[0]?.['id']);
  const provenance = async (id: string) => (await service.get(`/provenance/observations/${id}`)).status;
  let observation = '';

  it('without a grant: only the closes on the full surface, and nothing computed from them anywhere', async () => {
    expect(await rights('list')).toBe('No grants. Values that a licence does not allow are withheld.\n');
    await expectNothingComputed();
  });

  it('granted for own use: on the full surface in every form with the operator’s note, nothing on /public/*', async () => {
    expect(await rights('grant', 'quotes', '--note', 'Contract 17')).toMatch(
      /^quotes {2}in force: full surface only; .*: Contract 17\n\nA running server applies it within two seconds/,
    );
    await expectFullSurface('Contract 17');
    await expectNothingPublic(/^Prices are granted for own use/);
    observation = await anObservation();
    expect(await provenance(observation)).toBe(200);
  });

  it('granted with --redistribute: on /public/* too, equal to those of another vendor', async () => {
    expect(await rights('grant', 'quotes', '--note', 'Contract 18', '--redistribute')).toContain('in force: full surface and /public/*; ');
    await expectFullSurface('Contract 18');
    const both = { closes: 2 * DAYS, multiples: 2 * DAYS * ASKED.length };
    expect(await shownBy(`/public/observations?${QUESTION}`)).toEqual({ ...both, notes: [null] });
    const { entities, hints } = await screened();
    expect([entities, hints]).toEqual([[idOf('KMB'), idOf('AAPL')], []]);
    expect(await foundIn(COMPANY_LIST, ['json'])).toEqual(pairs(['json']));
    expect(await foundIn(SCREEN.replace('columns=', 'columns=price_to_earnings,'), FORMS)).toEqual(pairs(FORMS));
    expect((await fields()).toSorted()).toEqual(MULTIPLES.toSorted());
    for (const ticker of ['AAPL', 'KMB'] as const) {
      const { price, multiples, scores, rightsNote } = await company(ticker);
      const [theirPrice, theirs] = PUBLISHED[ticker];
      const expected = (theirs / theirPrice) * Number(price);
      expect([ticker, Math.abs(Number(multiples['priceToEarnings']) / expected - 1) < 0.005]).toEqual([ticker, true]);
      expect([isNumber(scores['value']), rightsNote]).toEqual([true, null]);
    }
  });

  it('revoked: withheld again when the file is next read', async () => {
    expect(await rights('revoke', 'quotes')).toMatch(/^quotes {2}revoked .*\n\nA running server applies it within two seconds/);
    await expectNothingComputed();
    expect(await provenance(observation)).toBe(404);
  });

  it('granted until a day: to the end of it, without another command', async () => {
    await rights('grant', 'quotes', '--note', 'Contract 19', '--until', '2098-12-31');
    const shown = async (at: string) => {
      service.clock.now = Date.parse(at);
      return (await listed(`${DERIVED}&limit=500`)).data.length;
    };
    expect(await shown('2098-12-31T23:59:59.999Z')).toBe(2 * DAYS * ASKED.length);
    expect(await shown('2099-01-01T00:00:00.000Z')).toBe(0);
    service.clock.now = Date.parse(NOW);
  });
});
