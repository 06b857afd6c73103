// The way around the pages: the menu, an as-of that stays set, and pages that one opens without knowing what to type.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ListBody } from '../service.ts';
import { inChromium, NO_CHROMIUM, type Visit, type VisitOptions } from './chromium.ts';

describe.skipIf(NO_CHROMIUM !== null)(
  `the way around the pages${NO_CHROMIUM === null ? '' : ` (skipped: ${NO_CHROMIUM})`}`,
  { timeout: 120_000 },
  () => {
    const run = inChromium();
    const signedIn = (path: string, options: VisitOptions = {}) => run.open(path, { key: run.service.keys.full, ...options });
    const go = (view: string, options: VisitOptions = {}) => signedIn(`/explore#/${view}`, options);
    const rows = async (path: string) => ((await (await run.service.get(path)).json()) as ListBody).data;
    const isQuiet = ({ complaints, leaks }: Visit) => expect({ complaints, leaks }).toEqual({ complaints: [], leaks: [] });

    it('the start page has the menu of the other pages, and signs out', async () => {
      const linksOf = (page: Page) =>
        page.locator('header nav a').evaluateAll((links) => links.map((link) => [link.textContent, (link as { href: string }).href]));
      const explore = await go('health');
      await explore.page.getByRole('heading', { level: 1, name: 'Data health' }).waitFor();
      const expected = (await linksOf(explore.page)).map(([label, href]) => [label, href]);
      const one = await signedIn('/');
      await one.page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Today' }).waitFor();
      expect(await linksOf(one.page)).toEqual(expected);
      await one.page.getByRole('button', { name: 'Sign out' }).click();
      await one.page.getByRole('heading', { name: 'Sign in to look around' }).waitFor();
      expect(await one.page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
      [explore, one].forEach(isQuiet);
    });

    it('the search is ready to type in when it opens, unless it has an answer to read', async () => {
      const one = await signedIn('/explore');
      await one.page.locator('input[role="combobox"]:focus').waitFor();
      const answered = await go('search?q=payroll');
      await answered.page.locator('tbody tr').first().waitFor();
      expect(await answered.page.evaluate('document.activeElement.tagName')).toBe('BODY');
    });

    it('no count of one has a plural', async () => {
      const one = await go('search?q=nonfarm payrolls&kind=indicators&country=US');
      await one.page.locator('caption').first().waitFor();
      const [caption] = await one.page.locator('caption').allTextContents();
      const count = await one.page.locator('tbody tr').count();
      expect(caption?.trim()).toBe(count === 1 ? '1 indicator' : `${count} indicators`);
      const contract = (await rows('/entities?entity_type=futures_contract&limit=1'))[0];
      const exact = await go(`search?kind=contracts&q=${encodeURIComponent(String(contract?.['entityId']))}`);
      await exact.page.locator('caption', { hasText: /^\s*1 contract\s*$/ }).waitFor();
      [one, exact].forEach(isQuiet);
    });
  },
);
