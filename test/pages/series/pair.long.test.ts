// Two vintages of a series in a browser: the charts above each other share their time axis, and the table begins with what can be compared.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ListBody } from '../../service.ts';
import { inChromium, NO_CHROMIUM, type VisitOptions } from '../chromium.ts';

const OWN = 'indicator_id=us_nonfarm_payrolls&source_id=fred_md';
const PAIR = `#/series?${OWN}&entity=us&frequency=monthly&mode=compare`;

describe.skipIf(NO_CHROMIUM !== null)(`two vintages beside each other${NO_CHROMIUM === null ? '' : ` (skipped: ${NO_CHROMIUM})`}`, () => {
  const run = inChromium();
  const go = async (path: string, options: VisitOptions = {}) => {
    const { page } = await run.open(`/explore${path}`, { key: run.service.keys.full, ...options });
    await page.locator('.differences table').waitFor();
    await page.waitForLoadState('networkidle');
    return page;
  };
  const known = async (asOf: string) =>
    ((await (await run.service.get(`/observations?${OWN}&as_of=${asOf}&limit=500`)).json()) as ListBody).data;
  const plots = async (page: Page) =>
    Promise.all(
      (await page.locator('.chart .u-over').all()).map(async (plot) => (await plot.boundingBox()) ?? { x: 0, width: 0, y: 0, height: 0 }),
    );
  const cells = async (page: Page) =>
    Promise.all((await page.locator('.differences tbody tr:not(.group)').all()).map((row) => row.locator('td').allTextContents()));
  const headings = (page: Page) => page.locator('.differences tr.group').allTextContents();
  const marksOf = async (page: Page, at: number) => {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'SVG' }).nth(at).click()]);
    return [...(await readFile(await file.path(), 'utf8')).matchAll(/<text class="x" x="([\d.]+)"[^>]*>([^<]+)</g)].map(([, x, text]) => [
      x,
      text,
    ]);
  };

  it.each([
    [1360, ''],
    [1360, '&transform=percent'],
    [390, ''],
  ])('have both charts at the same place of the time axis, at %d px (%s)', async (width, more) => {
    const page = await go(`${PAIR}${more}`, { width });
    const [upper, lower] = await plots(page);
    expect([lower?.x, lower?.width]).toEqual([upper?.x, upper?.width]);
    expect(await marksOf(page, 0)).toEqual(await marksOf(page, 1));
  });

  it('draw a bar for each difference and none for a zero, the first and the last one whole', async () => {
    // Of these two vintages all periods but a few are equal.
    const page = await go(`${PAIR}&a=2026-08-31&b=2026-09-30&range=3`);
    const [a, b] = [await known('2026-08-31'), await known('2026-09-30')];
    const before = new Map(a.map((row) => [row['period'], row['actual']]));
    const start = (await page.locator('.differences tbody tr td:first-child').allTextContents()).toSorted()[0] ?? '';
    const both = b.filter((row) => String(row['period']) >= start && before.has(row['period']));
    const changed = both.filter((row) => row['actual'] !== before.get(row['period']));
    expect([changed.length > 0, changed.length < both.length]).toEqual([true, true]);
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'SVG' }).nth(1).click()]);
    const text = await readFile(await file.path(), 'utf8');
    const across = Number(/<clipPath id="plot"><rect width="([\d.]+)"/.exec(text)?.[1]);
    const bars = [...text.matchAll(/<rect x="([-\d.]+)" y="[-\d.]+" width="([\d.]+)" height="([\d.]+)" fill/g)].map(([, ...numbers]) =>
      numbers.map(Number),
    );
    expect(bars.length).toBe(changed.length);
    expect(bars.filter(([, , height]) => height === 0)).toEqual([]);
    const marks = await marksOf(page, 1);
    expect(marks.length).toBeGreaterThan(1);
    for (const [x = 0, width = 0] of bars) expect([x >= 0, x + width <= across]).toEqual([true, true]);
  });

  it('zoom together, and name the period under the pointer in both', async () => {
    const page = await go(PAIR);
    const [upper = { x: 0, y: 0, width: 0, height: 0 }, before] = [(await plots(page))[0], await marksOf(page, 0)];
    const y = upper.y + upper.height / 2;
    await page.mouse.move(upper.x + upper.width * 0.6, y);
    await page.mouse.down();
    await page.mouse.move(upper.x + upper.width * 0.9, y, { steps: 8 });
    await page.mouse.up();
    await expect.poll(() => marksOf(page, 1)).not.toEqual(before);
    expect(await marksOf(page, 1)).toEqual(await marksOf(page, 0));
    const [zoomed, below] = await plots(page);
    expect([below?.x, below?.width]).toEqual([zoomed?.x, zoomed?.width]);
    await page.mouse.move(upper.x + upper.width * 0.3, y);
    const tips = page.locator('.chart .tip .when');
    await expect.poll(() => tips.count()).toBe(2);
    const [one, other] = await tips.allTextContents();
    expect([one, /^\d{4}-\d\d$/.test(one ?? '')]).toEqual([other, true]);
  });

  it('begin the table with the newest period that both have, and say so; periods of one vintage come last', async () => {
    const page = await go(`${PAIR}&a=2025-09-30&b=2026-10-31`);
    const [a, b] = [await known('2025-09-30'), await known('2026-10-31')];
    const periodsOf = (list: typeof a) => new Set(list.map((row) => String(row['period'])));
    const both = [...periodsOf(a)]
      .filter((period) => periodsOf(b).has(period))
      .toSorted()
      .toReversed();
    const onlyB = [...periodsOf(b)]
      .filter((period) => !periodsOf(a).has(period))
      .toSorted()
      .toReversed();
    expect(onlyB.length).toBeGreaterThan(0);
    expect((await cells(page)).map(([period]) => period)).toEqual([...both, ...onlyB]);
    expect(await headings(page)).toEqual([`In both vintages (${both.length})`, `Only in B (${onlyB.length})`]);
    expect(await page.locator('.differences caption').innerText()).toContain('newest first');
  });

  it('show first what differs most, or what only one vintage has, if you want it so; the file has all of it', async () => {
    const page = await go(`${PAIR}&a=2025-09-30&b=2026-10-31`);
    const order = page.getByRole('group', { name: 'Order' });
    await order.getByRole('button', { name: 'Largest difference' }).click();
    const difference = (row: readonly string[]) => Math.abs(Number((row[3] ?? '').replaceAll(',', '').replace('−', '-')));
    const largest = (await cells(page)).map(difference).filter((size) => !Number.isNaN(size));
    expect(largest.length).toBeGreaterThan(50);
    expect(largest).toEqual(largest.toSorted((one, other) => other - one));
    await order.getByRole('button', { name: 'Only in one' }).click();
    const [first] = await headings(page);
    expect(first).toMatch(/^Only in B/);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.differences').getByRole('button', { name: 'CSV' }).click(),
    ]);
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines.length - 1).toBe((await known('2026-10-31')).length);
  });
});
