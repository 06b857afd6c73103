// The pictures of the documentation, from a running server with the sample: ASOF_URL=http://127.0.0.1:8080 ASOF_KEY=asof_… npm run pictures
import { join } from 'node:path';
import { launch } from './chromium.ts';

const FOLDER = join(import.meta.dirname, '../docs/pictures');
const SIZE = { width: 1180, height: 760 };

/** Name of the file → view, and what is on it once it is ready. */
const PICTURES: Readonly<Record<string, readonly [view: string, ready: string]>> = {
  'revision-light.png': ['/series?indicator_id=us_nonfarm_payrolls&source_id=fred_md&mode=revision', '.chart canvas'],
};

const { ASOF_URL: url = '', ASOF_KEY: key = '' } = process.env;
if (url === '' || key === '') throw new Error('Set ASOF_URL and ASOF_KEY of a server with the sample.');

const browser = await launch();
try {
  const context = await browser.newContext({ viewport: SIZE, colorScheme: 'light', reducedMotion: 'reduce' });
  for (const [name, [view, ready]] of Object.entries(PICTURES)) {
    const page = await context.newPage();
    await page.goto(`${url}/explore#key=${key}&to=${view}`);
    await page.locator(ready).first().waitFor();
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(FOLDER, name) });
    await page.close();
    process.stdout.write(`${name}\n`);
  }
} finally {
  await browser.close();
}
