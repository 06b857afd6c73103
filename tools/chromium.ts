// The Chromium of the system, which tests, bench and pictures drive.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser'];
const executablePath = PLACES.find((path) => existsSync(path));

/** The reason if there is none. */
export const NO_CHROMIUM = executablePath === undefined ? `there is no Chromium at ${PLACES.join(' or ')}` : null;

/** Throws with the remedy if there is none. */
export async function launch(): Promise<Browser> {
  if (executablePath === undefined) throw new Error(`There is no Chromium at ${PLACES.join(' or ')}. Install it.`);
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}
