// Debian's Chromium over the pages of a running service, every other host blocked.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launch } from '../../tools/chromium.ts';
import { type RunningService, sampleDataDir, startService } from '../service.ts';

export { launch, NO_CHROMIUM } from '../../tools/chromium.ts';

export interface Visit {
  readonly page: Page;
  /** Errors of the console and of scripts, reports of the policy, requests to elsewhere. */
  readonly complaints: readonly string[];
  /** Requests that carried a key anywhere but in the header. */
  readonly leaks: readonly string[];
  readonly close: () => Promise<void>;
}

export interface VisitOptions {
  readonly key?: string;
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  readonly hasTouch?: boolean;
  /** A zone of the IANA, in which the visitor lives. */
  readonly timezone?: string;
}

/** A tab of its own on the service. Answers of 4xx and 5xx are no complaints: the views tell them. */
export async function visit(
  browser: Browser,
  url: string,
  { key, scheme = 'light', width = 1280, height = 900, hasTouch = false, timezone }: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    colorScheme: scheme,
    viewport: { width, height },
    hasTouch,
    reducedMotion: 'reduce',
    ...(timezone === undefined ? {} : { timezoneId: timezone }),
  });
  const complaints: string[] = [];
  const leaks: string[] = [];
  await context.route('**/*', (route) => {
    const asked = route.request().url();
    if (asked.startsWith(url) || /^(?:data|blob):/.test(asked)) return route.continue();
    complaints.push(`request elsewhere: ${asked}`);
    return route.abort();
  });
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`script: ${error.message}`));
  page.on('request', (request) => {
    if (/asof_/.test(request.url() + (request.postData() ?? ''))) leaks.push(request.url());
  });
  await page.exposeFunction('toldOfPolicy', (report: string) => complaints.push(`policy: ${report}`));
  // Text, as what is compiled for Node may name helpers that a page does not have.
  await page.addInitScript(
    `document.addEventListener('securitypolicyviolation', (event) => window.toldOfPolicy(event.violatedDirective + ' ' + event.blockedURI));${key === undefined ? '' : `if (sessionStorage.getItem('asof.key') === null && !sessionStorage.getItem('test.begun')) sessionStorage.setItem('asof.key', ${JSON.stringify(key)}); sessionStorage.setItem('test.begun', '1');`}`,
  );
  return { page, complaints, leaks, close: () => context.close() };
}

export interface InChromium {
  readonly service: RunningService;
  /** A tab of its own on the service, which stays until the tests end. */
  readonly tab: (options?: VisitOptions, at?: RunningService) => Promise<Visit>;
  /** The same, at a path. */
  readonly open: (path: string, options?: VisitOptions, at?: RunningService) => Promise<Visit>;
}

/** A service over the sample and a browser, for the tests of the block in which you call it. They start before its first test. */
export function inChromium(): InChromium {
  let service: RunningService | undefined;
  let browser: Browser | undefined;
  const visits: Visit[] = [];
  beforeAll(async () => {
    service = await startService(await sampleDataDir(), { isOwnFolder: true });
    browser = await launch();
  });
  afterAll(async () => {
    for (const one of visits) await one.close();
    await browser?.close();
    await service?.stop();
  });
  const started = <Part>(part: Part | undefined): Part => {
    if (part === undefined) throw new Error('The service and the browser start before the first test');
    return part;
  };
  const tab = async (options: VisitOptions = {}, at = started(service)) => {
    const one = await visit(started(browser), at.url, options);
    visits.push(one);
    one.page.setDefaultTimeout(60_000);
    return one;
  };
  return {
    get service() {
      return started(service);
    },
    tab,
    async open(path, options = {}, at = started(service)) {
      const one = await tab(options, at);
      await one.page.goto(at.url + path);
      return one;
    },
  };
}
