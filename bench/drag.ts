// tsx bench/drag.ts DATA_DIR [indicator_id source_id]: the processor time of a frame while you drag the slider of a series with many vintages. It
// writes a key into DATA_DIR and revokes it. Needs Chromium. The goal is 16 ms a frame.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { issueKey, keyFile, revokeKey } from '../src/keys/key-store.ts';
import { launch } from '../tools/chromium.ts';

const MOST_MS = 16;
const STEPS = 60;

/** Seconds of processor time of the page's main thread. */
type Clock = () => Promise<number>;

/** Moves the slider and waits until the frame is painted. It is text, because code compiled for Node may call helpers that a page does not have. */
const moveTo = (place: number) => `new Promise((done) => {
  const slider = document.querySelector('#as-of-slider');
  slider.value = '${place}';
  slider.dispatchEvent(new Event('input', { bubbles: true }));
  requestAnimationFrame(() => requestAnimationFrame(() => done(document.querySelector('output[for=as-of-slider]').textContent)));
})`;

async function drag(page: Page, worked: Clock): Promise<{ readonly frames: readonly number[]; readonly days: number }> {
  const last = Number(await page.locator('#as-of-slider').getAttribute('max'));
  const frames: number[] = [];
  const seen = new Set<string>();
  for (let step = 1; step <= STEPS; step++) {
    const before = await worked();
    seen.add(await page.evaluate<string>(moveTo(Math.max(last - step, 0))));
    frames.push(1000 * ((await worked()) - before));
  }
  return { frames, days: seen.size };
}

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [dataDir, indicator = 'us_nonfarm_payrolls', source = 'fred_md'] = positionals;
  if (dataDir === undefined) throw new Error('Name a DATA_DIR: npx tsx bench/drag.ts DATA_DIR');
  const { key, issued } = await issueKey(keyFile(dataDir), { label: 'drag', tier: 'full', scopes: ['data:read'] }, Date.now());
  const server = fork(join(import.meta.dirname, 'holds-server.ts'), { env: { ...process.env, DATA_DIR: dataDir } });
  const [{ port }] = (await once(server, 'message')) as [{ readonly port: number }];
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1360, height: 900 } });
    await page.addInitScript(`sessionStorage.setItem('asof.key', ${JSON.stringify(key)})`);
    await page.goto(`http://127.0.0.1:${port}/explore#/series?indicator_id=${indicator}&source_id=${source}&range=all`);
    await page.locator('#as-of-slider').waitFor();
    await page.waitForLoadState('networkidle');
    const session = await page.context().newCDPSession(page);
    // Processor time of the thread: other work of the machine does not count.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const worked: Clock = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
    };
    // The first drag compiles.
    await drag(page, worked);
    const { frames, days } = await drag(page, worked);
    const sorted = frames.toSorted((a, b) => a - b);
    const at = (part: number) => (sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN).toFixed(1);
    const vintages = Number(await page.locator('#as-of-slider').getAttribute('max')) + 1;
    process.stdout.write(
      `${indicator}: ${vintages} vintages, ${days} of them dragged over. A frame: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, most ${at(1)} ms; ${sorted.filter((ms) => ms > MOST_MS).length} of ${STEPS} over ${MOST_MS} ms\n`,
    );
  } finally {
    await browser.close();
    server.send('stop');
    await revokeKey(keyFile(dataDir), issued.keyId, Date.now());
  }
}

await main();
process.exit(0);
