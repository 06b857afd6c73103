// The time axis of a series in a browser: the point of a period stands at the mark that bears its name, and the pointer says the same.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ListBody } from '../../service.ts';
import { inChromium, NO_CHROMIUM } from '../chromium.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (number: number) => String(number).padStart(2, '0');

interface Mark {
  readonly x: number;
  readonly text: string;
}

/** The chart as SVG: the marks of the time axis, each with its year, and the places of the points of the newest values. */
async function drawn(
  page: Page,
): Promise<{ readonly marks: readonly Mark[]; readonly points: readonly number[]; readonly across: number }> {
  await page.locator('.chart canvas').first().waitFor();
  await page.waitForLoadState('networkidle');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'SVG' }).first().click()]);
  const svg = await readFile(await file.path(), 'utf8');
  const texts = new Map<number, string[]>();
  for (const [, x = '', text = ''] of svg.matchAll(/<text class="x" x="([\d.]+)"[^>]*>([^<]+)</g))
    texts.set(Number(x), [...(texts.get(Number(x)) ?? []), text]);
  let year = '';
  const marks = [...texts].map(([x, [text = '', newYear]]) => {
    year = newYear ?? (/^\d{4}$/.test(text) ? text : year);
    return { x, text: /^\d{4}$/.test(text) ? text : `${year} ${text}` };
  });
  const paths = [...svg.matchAll(/<path d="(M[^"Z]+)" fill="none"/g)].map(([, d = '']) => d);
  const points = (paths.at(-1) ?? '')
    .split(/[ML]/)
    .filter((point) => point !== '')
    .map((point) => Number(point.split(' ')[0]));
  // The picture has a width of its own.
  const across = Number(/<clipPath id="plot"><rect width="([\d.]+)"/.exec(svg)?.[1]);
  return { marks, points, across };
}

/** The period that a mark names: `2020 Apr` → 2020-04, `2020 Q2` → 2020-Q2, `2020 04-30` → 2020-04-30; `2020` is the first one of the year. */
function periodOf(text: string, frequency: string): string {
  const [year = '', part] = text.split(' ');
  const first: Readonly<Record<string, string>> = { annual: '', quarterly: '-Q1', monthly: '-01', daily: '-01-01' };
  if (part === undefined) return `${year}${first[frequency] ?? ''}`;
  const month = MONTHS.indexOf(part);
  if (month === -1) return `${year}-${part}`;
  return frequency === 'daily' ? `${year}-${two(month + 1)}-01` : `${year}-${two(month + 1)}`;
}

describe.skipIf(NO_CHROMIUM !== null)(`the time axis of a series${NO_CHROMIUM === null ? '' : ` (skipped: ${NO_CHROMIUM})`}`, () => {
  const run = inChromium();

  it.each([
    ['monthly', 'indicator_id=us_nonfarm_payrolls&source_id=fred_md&range=3', 'UTC'],
    ['monthly', 'indicator_id=us_nonfarm_payrolls&source_id=fred_md&range=all', 'America/New_York'],
    ['quarterly', 'indicator_id=us_gdp_growth_qoq&range=all', 'Pacific/Auckland'],
    ['annual', 'indicator_id=ar_population&source_id=world_bank&range=all', 'America/New_York'],
    ['daily', 'indicator_id=company_9999999002_earnings_yield&source_id=quotes&range=3', 'America/New_York'],
  ])('of %s periods (%s, in %s) has each point at the mark with its name', async (frequency, query, timezone) => {
    const { page, complaints } = await run.open(`/explore#/series?${query}`, { key: run.service.keys.full, timezone });
    const { marks, points, across } = await drawn(page);
    const own = new URLSearchParams(query);
    own.delete('range');
    const known = ((await (await run.service.get(`/observations?${own.toString()}&limit=500`)).json()) as ListBody).data;
    const periods = new Set(known.map((row) => String(row['period'])));
    expect(new Set(known.map((row) => row['frequency']))).toEqual(new Set([frequency]));
    const named = marks.map(({ x, text }) => ({ x, text, period: periodOf(text, frequency) })).filter(({ period }) => periods.has(period));
    expect(named.length).toBeGreaterThan(1);
    const plot = page.locator('.chart .u-over').first();
    const box = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    for (const { x, text, period } of named) {
      expect([text, Math.min(...points.map((point) => Math.abs(point - x)))]).toEqual([text, expect.closeTo(0, 0)]);
      await page.mouse.move(box.x + Math.min(Math.max((x * box.width) / across, 1), box.width - 1), box.y + box.height / 2);
      const told = await page.locator('.chart .tip').first().innerText();
      expect([text, told.split(/[,\n]/)[0]]).toEqual([text, period]);
    }
    expect(complaints).toEqual([]);
  });

  it.each(['level', 'compare'])('of a zoomed chart (%s) leads back to all periods, by keyboard too', async (mode) => {
    const { page, complaints } = await run.open(`/explore#/series?indicator_id=us_nonfarm_payrolls&source_id=fred_md&mode=${mode}`, {
      key: run.service.keys.full,
    });
    const plots = page.locator('.chart .u-over');
    await plots.last().waitFor();
    await page.waitForLoadState('networkidle');
    const pictures = () => page.evaluate<string>(`[...document.querySelectorAll('.chart canvas')].map((one) => one.toDataURL()).join()`);
    const reset = page.getByRole('button', { name: 'Reset zoom' });
    const whole = await pictures();
    for (const leave of ['click', 'keyboard']) {
      expect([leave, await reset.count()]).toEqual([leave, 0]);
      const box = (await plots.first().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 5 });
      await page.mouse.up();
      await page.mouse.move(0, 0);
      await reset.first().waitFor();
      expect(await reset.count()).toBe(await plots.count());
      expect(await pictures()).not.toBe(whole);
      if (leave === 'click') await reset.first().click();
      else await reset.first().press('Enter');
      expect(await page.evaluate('document.activeElement.className')).toContain('chart');
      await reset.first().waitFor({ state: 'detached' });
      await page.mouse.move(0, 0);
      await expect.poll(pictures).toBe(whole);
    }
    expect(complaints).toEqual([]);
  });

  it('zooms if a finger drags sideways, and scrolls if it drags up', async () => {
    const { page } = await run.open('/explore#/series?indicator_id=us_nonfarm_payrolls&source_id=fred_md&range=3', {
      key: run.service.keys.full,
      width: 390,
      height: 844,
      hasTouch: true,
    });
    const plot = page.locator('.chart .u-over').first();
    await plot.scrollIntoViewIfNeeded();
    await page.waitForLoadState('networkidle');
    const touch = await page.context().newCDPSession(page);
    const drag = async (across: number, down: number) => {
      const box = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      const [x, y] = [box.x + 0.4 * box.width, box.y + 0.8 * box.height];
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
      for (let step = 1; step <= 5; step += 1)
        await touch.send('Input.dispatchTouchEvent', {
          type: 'touchMove',
          touchPoints: [{ x: x + (across * step) / 5, y: y + (down * step) / 5 }],
        });
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    };
    const reset = page.getByRole('button', { name: 'Reset zoom' });
    await drag(4, -150);
    expect(await reset.count()).toBe(0);
    await drag(100, 4);
    await reset.waitFor();
  });

  it('says of a week also its last day, at which it stands', async () => {
    const { page } = await run.open('/explore#/series?indicator_id=cftc_001602_cot_commercial_long&range=all', {
      key: run.service.keys.full,
    });
    const plot = page.locator('.chart .u-over').first();
    await plot.waitFor();
    await page.waitForLoadState('networkidle');
    const box = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(box.x + box.width - 1, box.y + box.height / 2);
    const [newest] = (
      (await (await run.service.get('/observations/latest?indicator_id=cftc_001602_cot_commercial_long&limit=1')).json()) as ListBody
    ).data;
    expect((await page.locator('.chart .tip').first().innerText()).split('\n')[0]).toMatch(
      new RegExp(`^${String(newest?.['period'])}, to ${String(newest?.['periodEnd'])}`),
    );
  });
});
