// The chart of a series in a browser, over the sample: what it shows, compares and exports is what the interface answers.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ListBody } from '../../service.ts';
import { inChromium, NO_CHROMIUM, type Visit, type VisitOptions } from '../chromium.ts';
import { forPeople } from '../for-people.ts';

const OWN = 'indicator_id=us_nonfarm_payrolls&source_id=fred_md';
const SERIES = `#/series?${OWN}&entity=us&frequency=monthly&transform=level`;

describe.skipIf(NO_CHROMIUM !== null)(`the chart of a series${NO_CHROMIUM === null ? '' : ` (skipped: ${NO_CHROMIUM})`}`, () => {
  const run = inChromium();
  const go = (path: string, options: VisitOptions = {}) => run.open(`/explore${path}`, { key: run.service.keys.full, ...options });
  const rows = async (path: string) => ((await (await run.service.get(path)).json()) as ListBody).data;
  const isQuiet = ({ complaints, leaks }: Visit) => expect({ complaints, leaks }).toEqual({ complaints: [], leaks: [] });

  const tip = (page: Page) => page.locator('.chart .tip').first();
  /** What the chart says of a period; the pointer walks until the period is under it. */
  async function toldOf(page: Page, period: string): Promise<string[]> {
    const plot = page.locator('.chart .u-over').first();
    await plot.waitFor();
    await page.waitForLoadState('networkidle');
    const box = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    for (let x = 1; x < box.width; x += 3) {
      await page.mouse.move(box.x + x, box.y + box.height / 2);
      const told = await tip(page).innerText();
      if (told.startsWith(period)) return told.split('\n').slice(1);
    }
    return [];
  }
  const valueIn = async (period: string, asOf: string) =>
    Number((await rows(`/observations?${OWN}&period=${period}${asOf === '' ? '' : `&as_of=${asOf}`}`))[0]?.['actual']);

  /** A quarterly series to lay over it. */
  const over = async () => {
    const [row] = await rows('/indicators/series?indicator_id=us_gdp_growth_qoq&limit=1');
    return `us_gdp_growth_qoq~${String(row?.['sourceId'])}`;
  };

  it('shows under the pointer the period and the exact values with their unit, in the chart and at the axis', async () => {
    const one = await go(`${SERIES}&as_of=2020-06-30`);
    const [known, now] = [await valueIn('2020-04', '2020-06-30'), await valueIn('2020-04', '')];
    expect(await toldOf(one.page, '2020-04')).toEqual([
      `first print: ${(await valueIn('2020-04', '2020-05-31')).toLocaleString('en')} thousands`,
      `latest (not yet known then): ${now.toLocaleString('en')} thousands`,
      `as known then: ${known.toLocaleString('en')} thousands`,
    ]);
    await one.page.mouse.move(0, 0);
    await tip(one.page).waitFor({ state: 'hidden' });
    isQuiet(one);
  });

  it('opens a level with revisions as its changes of three years, and keeps them when you change something else', async () => {
    const { page, ...one } = await go(`#/series?${OWN}`);
    const show = page.getByLabel('Show');
    const pressed = page.getByRole('group', { name: 'Periods' }).locator('[aria-pressed="true"]');
    await page.locator('.chart canvas').waitFor();
    expect([await show.inputValue(), await pressed.innerText()]).toEqual(['change', '3 years']);
    await page.getByRole('button', { name: 'Two vintages' }).click();
    await expect.poll(() => page.url()).toContain('transform=change&range=3&mode=compare');
    await page.getByRole('button', { name: 'All vintages' }).click();
    await show.selectOption({ label: 'As is' });
    await expect.poll(() => page.url()).not.toContain('transform');
    expect([await show.inputValue(), await pressed.innerText()]).toEqual(['level', '3 years']);
    isQuiet({ page, ...one });
  });

  it('counts and offers the vintages of the whole series, whatever years are shown', async () => {
    const days = new Set((await rows(`/observations?${OWN}&vintage=all&limit=500`)).map((row) => String(row['observedAt']).slice(0, 10)));
    for (const range of ['3', '10', 'all']) {
      const { page, ...one } = await go(`${SERIES}&range=${range}`);
      await page.getByText(new RegExp(`^${days.size} vintage days from ${[...days].toSorted()[0]} to `)).waitFor();
      await page.locator('.legend .thin', { hasText: new RegExp(`(?:of |\\()${days.size}\\)$`) }).waitFor();
      await page.getByRole('button', { name: 'Two vintages' }).click();
      await expect.poll(() => page.getByLabel('Vintage A').locator('option').count()).toBe(days.size);
      isQuiet({ page, ...one });
    }
  });

  it('transforms the values of each vintage by themselves, and keeps the transform in the address', async () => {
    const { page, ...one } = await go(`${SERIES}&as_of=2020-06-30`);
    await page.getByLabel('Show').selectOption({ label: '% change' });
    await expect.poll(() => page.url()).toContain('transform=percent');
    await page.reload();
    const [march, april] = [await valueIn('2020-03', '2020-06-30'), await valueIn('2020-04', '2020-06-30')];
    const told = await toldOf(page, '2020-04');
    // A computed number is rounded: no publisher wrote its digits.
    expect(/as known then: (\S+) %/.exec(told.join('\n'))?.[1]).toBe(forPeople(100 * (april / march - 1)));
    // The first print of April is compared with March as it was known on that day.
    const [before, first] = [await valueIn('2020-03', '2020-05-31'), await valueIn('2020-04', '2020-05-31')];
    expect(/first print: (\S+) %/.exec(told.join('\n'))?.[1]).toBe(forPeople(100 * (first / before - 1)));
    isQuiet({ page, ...one });
  });

  it('keeps the axis to what was known then, however the values went on', async () => {
    const highest = async (more: string) => {
      const { page } = await go(`${SERIES}&range=all${more}`);
      await page.locator('.chart canvas').waitFor();
      const [picture] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'SVG' }).click()]);
      const text = await readFile(await picture.path(), 'utf8');
      return Math.max(...[...text.matchAll(/class="y"[^>]*>([\d,]+)</g)].map(([, mark = '']) => Number(mark.replaceAll(',', ''))));
    };
    const known = Math.max(...(await rows(`/observations?${OWN}&as_of=2020-06-30&limit=500`)).map((row) => Number(row['actual'])));
    expect(await highest('&as_of=2020-06-30')).toBeLessThan(known * 1.02);
    expect(await highest('')).toBeGreaterThan(known * 1.02);
  });

  it('says in its picture that the latest values were not known then', async () => {
    const { page } = await go(`${SERIES}&as_of=2020-05-15`);
    await page.locator('.chart canvas').waitFor();
    const [picture] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'SVG' }).click()]);
    const text = await readFile(await picture.path(), 'utf8');
    for (const told of ['as known on 2020-05-15', 'latest (not yet known then)']) expect(text).toContain(told);
  });

  it('has in its picture a circle for first prints, and words for recessions', async () => {
    const { page } = await go(SERIES);
    await page.locator('.legend .recession').waitFor();
    const [picture] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'SVG' }).click()]);
    const text = await readFile(await picture.path(), 'utf8');
    expect(text).toMatch(/<circle [^>]*r="4"[^>]*\/><text [^>]*>first prints that were revised</);
    expect(text).toMatch(/<rect [^>]*width="20"[^>]*\/><text [^>]*>recessions that the NBER had dated by then</);
  });

  it('shades a recession from the day on which its peak was announced, and to its trough only once that was', async () => {
    const shades = async (as_of: string) => {
      const { page } = await go(`${SERIES}&range=all&as_of=${as_of}`);
      await page.locator('.chart canvas').waitFor();
      await page.waitForLoadState('networkidle');
      const [picture] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'SVG' }).click()]);
      const text = await readFile(await picture.path(), 'utf8');
      const [, across = ''] = /<clipPath id="plot"><rect width="([\d.]+)"/.exec(text) ?? [];
      const found = [...text.matchAll(/<rect class="shade" x="([\d.]+)" width="([\d.]+)"/g)].map(
        ([, x, width]) => Number(x) + Number(width),
      );
      return {
        found,
        isOpen: found.map((end) => Math.abs(end - Number(across)) < 1),
        isNamed: await page.getByText('recessions that the NBER').count(),
      };
    };
    expect(await shades('2020-06-07')).toMatchObject({ found: [], isNamed: 0 });
    expect(await shades('2020-06-30')).toMatchObject({ isOpen: [true], isNamed: 1 });
    expect(await shades('2021-07-19')).toMatchObject({ isOpen: [false], isNamed: 1 });
  });

  it('sets vintage A beside vintage B with their difference by period, as chart, table and CSV, and keeps both in the address', async () => {
    const { page, ...one } = await go(`${SERIES}&mode=compare`);
    await page.getByLabel('Vintage A').selectOption('2020-05-31');
    await page.getByLabel('Vintage B').selectOption('2020-06-30');
    await expect.poll(() => page.url()).toContain('a=2020-05-31&b=2020-06-30');
    await page.reload();
    const [a, b] = [await valueIn('2020-04', '2020-05-31'), await valueIn('2020-04', '2020-06-30')];
    expect(b - a).not.toBe(0);
    const line = page.locator('.differences tbody tr', { hasText: '2020-04' }).locator('td');
    const shown = [a, b, b - a].map((value) => value.toLocaleString('en'));
    await expect.poll(() => line.allTextContents()).toEqual(['2020-04', ...shown]);
    // May is only in B: it has no difference.
    expect(await page.locator('.differences tbody tr', { hasText: '2020-05' }).locator('td').allTextContents()).toEqual([
      '2020-05',
      '–',
      (await valueIn('2020-05', '2020-06-30')).toLocaleString('en'),
      '– (not in both)',
    ]);
    expect(await page.locator('.chart canvas').count()).toBe(2);
    expect(await toldOf(page, '2020-04')).toEqual([`A, 2020-05-31: ${shown[0]} thousands`, `B, 2020-06-30: ${shown[1]} thousands`]);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.differences').getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect(await readFile(await file.path(), 'utf8')).toContain(`2020-04,${a},${b},${b - a}\r\n`);
    await page.getByRole('button', { name: 'Swap' }).click();
    await expect.poll(() => line.allTextContents()).toEqual(['2020-04', ...[b, a, a - b].map((value) => value.toLocaleString('en'))]);
    isQuiet({ page, ...one });
  });

  it('opens the preferred source if there are several, and changes it by a switch', async () => {
    const { page, ...one } = await go('#/series?indicator_id=us_housing_starts');
    const found = (await rows('/indicators/series?indicator_id=us_housing_starts&limit=10')).map((row) => String(row['sourceId']));
    const listed = await rows('/canonical-indicators?q=housing_starts&limit=20');
    const canonical = listed.find((row) => row['canonicalIndicatorId'] === 'housing_starts') as { preferredSourceIds: string[] };
    const [preferred, ...others] = canonical.preferredSourceIds.filter((source) => found.includes(source));
    expect(others.length).toBeGreaterThan(0);
    await page.locator('.chart canvas').waitFor();
    const names: Readonly<Record<string, string>> = { us_census: 'New Residential Construction', fred_md: 'FRED-MD monthly database' };
    const nameOf = (source = '') => names[source] ?? source;
    await page.locator('section > p.small', { hasText: `monthly · ${nameOf(preferred)}` }).waitFor();
    const buttons = page.getByRole('group', { name: 'Source' }).getByRole('button');
    expect(await buttons.allTextContents()).toEqual([preferred, ...others].map(nameOf));
    for (const other of others) {
      await buttons.getByText(nameOf(other), { exact: true }).click();
      await expect.poll(() => page.url()).toContain(`source_id=${other}`);
      await page.locator('section > p.small', { hasText: `monthly · ${nameOf(other)}` }).waitFor();
    }
    isQuiet({ page, ...one });
  });

  it('goes to the period whose last day you type, and to none before the year is whole', async () => {
    const { page, ...one } = await go(`${SERIES}&range=all`);
    const history = page.getByRole('heading', { name: /^Release history/ });
    await history.waitFor();
    const field = page.getByLabel('Period ends');
    await field.focus();
    await field.pressSequentially('0430');
    await page.keyboard.type('202');
    expect(await history.textContent()).not.toContain('2017');
    await page.keyboard.type('0');
    await history.filter({ hasText: '2020-04' }).waitFor();
    expect(page.url()).toContain('period_end=2020-04-30');
    isQuiet({ page, ...one });
  });

  it('lays a second series over it, with an axis of its own if the unit differs, as known at the same moment', async () => {
    const { page, ...one } = await go(`${SERIES}&as_of=2020-06-30`);
    await page.getByText('Lay another series over it').click();
    await page.getByLabel('Which').fill('us_unemployment_rate');
    await page.locator('.offers button').first().click();
    await expect.poll(() => page.url()).toContain('over=us_unemployment_rate');
    const [indicator, source] = (new URLSearchParams(page.url().split('?')[1]).get('over') ?? '').split('~');
    const [rate] = await rows(
      `/observations?indicator_id=${String(indicator)}&source_id=${String(source)}&period=2020-04&as_of=2020-06-30`,
    );
    await page.getByText('right axis').waitFor();
    const told = await toldOf(page, '2020-04');
    expect(told[0]).toMatch(/^All Employees, Total Nonfarm, United States, (?:one print|\d+ prints)/);
    expect(told.at(-2)).toBe(`as known then: ${(await valueIn('2020-04', '2020-06-30')).toLocaleString('en')} thousands`);
    expect(told.at(-1)).toMatch(new RegExp(`, United States: ${Number(rate?.['actual'])} percent$`));
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Lay another series over it').waitFor();
    isQuiet({ page, ...one });
  });

  it('keeps a blank that is typed into the field for a second series while its first answer is on the way', async () => {
    const { page, ...one } = await go(SERIES);
    await page.getByText('Lay another series over it').waitFor();
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    const asked: (string | null)[] = [];
    await page.route('**/indicators?*', async (route) => {
      asked.push(new URL(route.request().url()).searchParams.get('q'));
      await held;
      await route.continue();
    });
    await page.getByText('Lay another series over it').click();
    const field = page.getByLabel('Which');
    await field.focus();
    await page.keyboard.type('us ');
    await expect.poll(() => asked.at(-1)).toBe('us');
    answer();
    await page.locator('.offers button').first().waitFor();
    await page.keyboard.type('unemployment rate');
    expect(await field.inputValue()).toBe('us unemployment rate');
    await expect.poll(() => asked.at(-1)).toBe('us unemployment rate');
    isQuiet({ page, ...one });
  });

  it('offers all prints of both series as one file, which says of each row which series it is of', async () => {
    const { page, ...one } = await go(`${SERIES}&over=${await over()}~us~quarterly`);
    await page.getByText('right axis').waitFor();
    const save = async () => {
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'All prints as CSV' }).click()]);
      const [head = '', ...lines] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
      return { name: file.suggestedFilename(), head, lines };
    };
    const [indicator, source] = (await over()).split('~');
    const both = await save();
    expect(both.name).toBe(`us_nonfarm_payrolls-${String(indicator)}.csv`);
    expect(both.head.split(',')).toEqual([
      'entityId',
      'country',
      'instrumentId',
      'indicatorId',
      'indicatorName',
      'sourceId',
      'frequency',
      'unit',
      'period',
      'periodEnd',
      'actual',
      'observedAt',
      'supersededAt',
      'vintage',
      'isBackfill',
    ]);
    const since = /start_date=([\d-]+)/.exec((await page.locator('.requests pre').allTextContents()).join(' '))?.[1] ?? '';
    const count = async (query: string) => (await rows(`/observations?${query}&vintage=all&start_date=${since}&limit=500`)).length;
    const lines = (id: string) => both.lines.filter((line) => line.includes(`,${id},`));
    expect([lines('us_nonfarm_payrolls').length, lines(String(indicator)).length]).toEqual([
      await count(OWN),
      await count(`indicator_id=${String(indicator)}&source_id=${String(source)}`),
    ]);
    expect(lines('us_nonfarm_payrolls')[0]).toMatch(
      /^us,US,,us_nonfarm_payrolls,"All Employees, Total Nonfarm",fred_md,monthly,thousands,/,
    );
    expect(lines(String(indicator))[0]).toMatch(new RegExp(`^us,US,,${String(indicator)},.*,${String(source)},quarterly,`));
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Lay another series over it').waitFor();
    const alone = await save();
    expect([alone.name, alone.head, alone.lines.length]).toEqual([
      'us_nonfarm_payrolls.csv',
      both.head,
      lines('us_nonfarm_payrolls').length,
    ]);
    isQuiet({ page, ...one });
  });

  it('is saved as PNG and as SVG, with title, unit, moment and source in words, and as sample data', async () => {
    const { page, ...one } = await go(`${SERIES}&as_of=2020-06-30`);
    await page.locator('.chart canvas').waitFor();
    const save = async (name: string) => {
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name, exact: true }).click()]);
      expect(file.suggestedFilename()).toBe(`us_nonfarm_payrolls-2020-06-30.${name.toLowerCase()}`);
      return readFile(await file.path());
    };
    const svg = (await save('SVG')).toString('utf8');
    for (const text of [
      'All Employees, Total Nonfarm, United States',
      'Sample data, invented',
      'thousands, monthly; as known on 2020-06-30; source: FRED-MD monthly database',
      'as known then',
    ])
      expect(svg).toContain(text);
    // What any viewer makes of the file: a picture of its size, without an error.
    const problem = await page.evaluate<string | null>(
      `new DOMParser().parseFromString(${JSON.stringify(svg)}, 'image/svg+xml').querySelector('parsererror')?.textContent ?? null`,
    );
    expect(problem).toBe(null);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    const png = await save('PNG');
    expect(png.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]));
    expect(png.readUInt32BE(16)).toBeGreaterThan(600);
    isQuiet({ page, ...one });
  });

  it('is saved in the same size from any window', async () => {
    const sizes: string[] = [];
    for (const width of [390, 1360]) {
      const { page, ...one } = await go(`${SERIES}&as_of=2020-06-30`, { width });
      await page.locator('.chart canvas').waitFor();
      await page.waitForLoadState('networkidle');
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'PNG', exact: true }).click()]);
      const png = await readFile(await file.path());
      sizes.push(`${png.readUInt32BE(16)} x ${png.readUInt32BE(20)}`);
      isQuiet({ page, ...one });
    }
    expect(new Set(sizes).size).toBe(1);
    expect(sizes[0]).toMatch(/^2000 x /);
  });

  /** The texts of the first chart as a file. */
  const textsOf = async (page: Page) => {
    await page.locator('.chart canvas').first().waitFor();
    await page.waitForLoadState('networkidle');
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'SVG' }).first().click()]);
    return [...(await readFile(await file.path(), 'utf8')).matchAll(/<text[^>]*>([^<]+)</g)].map(([, text = '']) => text).join(' ');
  };

  it('says in its picture of now which day that is, by the answer that it shows', async () => {
    const { page } = await go(SERIES);
    const answer = await run.service.get(`/observations?${OWN}&vintage=all&format=csv&limit=1`);
    const day = answer.headers.get('x-as-of')?.slice(0, 10);
    expect(day).toMatch(/^20\d\d-/);
    expect(await textsOf(page)).toContain(`thousands, monthly; as known on ${String(day)}; source: FRED-MD monthly database`);
  });

  it('names in its picture both series, their places, units and sources', async () => {
    const { page } = await go(`${SERIES}&as_of=2026-06-30&over=${await over()}~us~quarterly`);
    await page.getByText('right axis').waitFor();
    const [, source = ''] = (await over()).split('~');
    const [row] = await rows('/indicators/series?indicator_id=us_gdp_growth_qoq&limit=1');
    const names = (await (await run.service.get('/pages/names.json')).json()) as { sources: Readonly<Record<string, string>> };
    const texts = await textsOf(page);
    for (const text of [
      `All Employees, Total Nonfarm, United States; ${String(row?.['name'])}, United States`,
      'All Employees, Total Nonfarm, United States: thousands, monthly; as known on 2026-06-30; source: FRED-MD monthly database',
      `${String(row?.['name'])}, United States: percent, quarterly; as known on 2026-06-30; source: ${names.sources[source]}`,
    ])
      expect(texts).toContain(text);
    expect(texts).not.toContain('fred_md');
    // The legend names the series of the chart before its lines, and the other one after them.
    expect(texts).toMatch(
      new RegExp(`All Employees, Total Nonfarm, United States vintages .*as known then ${String(row?.['name'])}, United States`),
    );
  });

  it('says in its pictures of two vintages and of revisions what they show', async () => {
    const pair = await go(`${SERIES}&mode=compare&a=2020-05-31&b=2020-06-30`);
    expect(await textsOf(pair.page)).toContain('as known on 2020-05-31 (A) and on 2020-06-30 (B)');
    const revisions = await go(`${SERIES}&mode=revision&as_of=2026-10-31`);
    expect(await textsOf(revisions.page)).toContain('prints known on 2026-10-31');
  });

  it('has no word about a sample in its pictures of collected data, and none at all while nobody knows', async () => {
    const { page } = await go(SERIES);
    await page.route('**/ready', (route) => route.abort());
    await page.locator('.chart canvas').waitFor();
    await page.getByRole('button', { name: 'SVG' }).click();
    await page.locator('.pictures [role="alert"]').waitFor();
    await page.unroute('**/ready');
    await page.route('**/ready', (route) => route.fulfill({ json: { data: { serves: 'real' } } }));
    expect(await textsOf(page)).not.toMatch(/sample/i);
  });

  it.each([
    ['range=soon', 'All'],
    ['range=0', 'All'],
    ['range=-5', 'All'],
    ['range=3', '3 years'],
    ['range=Infinity&mode=constructor&transform=constructor&pins=soon&until=soon&period_end=soon&a=soon&b=soon', 'All'],
    ['over=us_unemployment_rate', 'All'],
    ['over=~~~', 'All'],
  ])('with %s in its address shows its chart of %s, and no failure', async (more, range) => {
    const { page, ...one } = await go(`${SERIES}&${more}`);
    await page.locator('.chart canvas').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('group', { name: 'Periods' }).locator('[aria-pressed="true"]').allTextContents()).toEqual([range]);
    expect(await page.locator('.fault').count()).toBe(0);
    // The sample begins less than ten years ago.
    expect(await page.getByRole('button', { name: '10 years' }).isDisabled()).toBe(true);
    await page.getByText(/^Data begin \d{4}-\d\d\.$/).waitFor();
    await page.getByText('Lay another series over it').waitFor();
    isQuiet({ page, ...one });
  });

  it('says that there is no such series over it, whatever its frequency is called', async () => {
    for (const odd of ['us_unemployment_rate~fred_md~us~hourly', 'us_unemployment_rate~soon~us~monthly']) {
      const { page } = await go(`${SERIES}&over=${odd}`);
      await page.getByText('There is no such series.').waitFor();
      await page.locator('.chart canvas').waitFor();
      expect(await page.locator('.fault').count()).toBe(0);
    }
  });

  it('says once that an as-of is none, and an empty parameter counts as none', async () => {
    for (const as_of of ['2020', '2020-02-31', '2020-06-30T12:00']) {
      const { page } = await go(`${SERIES}&as_of=${as_of}`);
      await page.locator('.fault', { hasText: 'must be a day YYYY-MM-DD or an instant' }).waitFor();
      await page.waitForLoadState('networkidle');
      expect([as_of, await page.locator('.fault').count()]).toEqual([as_of, 1]);
    }
    const { page } = await go('#/series?indicator_id=us_nonfarm_payrolls&source_id=&entity=&range=');
    await page.locator('.chart canvas').waitFor();
  });
});
