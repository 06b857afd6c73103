// The README's two commands and a click: `npm start` on an empty folder prints a link, and behind it is a chart of a series that was revised.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { freePort } from '../free-port.ts';
import { launch, NO_CHROMIUM, visit } from './chromium.ts';

it.skipIf(NO_CHROMIUM !== null)(
  `npm start on an empty folder links to a chart of every vintage${NO_CHROMIUM === null ? '' : ` (skipped: ${NO_CHROMIUM})`}`,
  { timeout: 300_000 },
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'asof-first-look-'));
    const environment = {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      DATA_DIR: dataDir,
      PORT: String(await freePort()),
    };
    const child = spawn('npm', ['start'], { cwd: join(import.meta.dirname, '../..'), env: environment, detached: true });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
    const browser = await launch();
    try {
      while (!/explore#key=\S+\n/.test(output) && child.exitCode === null) await pause(100);
      const [link = ''] = /http:\S+\/explore#key=\S+/.exec(output) ?? [output];
      const one = await visit(browser, new URL(link).origin);
      one.page.setDefaultTimeout(60_000);
      await one.page.goto(link);
      await one.page.locator('.chart canvas').waitFor();
      expect(await one.page.locator('h1').first().innerText()).toContain('Nonfarm');
      const slider = one.page.locator('input[type="range"]').first();
      expect(Number(await slider.getAttribute('max'))).toBeGreaterThan(5);
      expect([one.complaints, one.leaks]).toEqual([[], []]);
    } finally {
      await browser.close();
      process.kill(-(child.pid ?? 0), 'SIGTERM');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);
