import axe from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useChromium } from './open-page.ts';
import { keyOf, ServedPage } from './served-page.ts';

useChromium();

/** One breaker of each kind. */
async function serveAll(): Promise<ServedPage> {
  const served = await ServedPage.serve({ overrides: [{ path: '/named', name: 'payments' }] });
  served.call('/half-open', 503, 3);
  served.clock.advance(30_001);
  served.call('/half-open', 200);
  served.call('/named', 503, 3);
  served.call('/closed', 200, 5);
  for (const path of ['/fresh', '/forced', '/counted', '/disabled']) served.call(path, 200);
  served.breaker.control('*forced').forceOpen({ reason: 'maintenance', for: 3_600_000 });
  served.breaker.control('*counted').metricsOnly({ reason: 'rollout' });
  served.breaker.control('*disabled').disable({ reason: 'a false alarm' });
  return served;
}

async function showDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: `Act… on ${keyOf('/closed')}` }).click();
  await page.getByRole('radio', { name: /^Force open/ }).check();
  await page.getByRole('button', { name: 'Force open: 1 breaker' }).click();
  await page.getByText('Give a reason.').waitFor();
}

interface Finding {
  readonly id: string;
  readonly impact?: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

async function examine(page: Page): Promise<Record<'violations' | 'passes', Finding[]>> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: inPage } = window as unknown as { axe: typeof axe };
    const { violations, passes } = await inPage.run();
    const brief = ({ id, impact, nodes }: axe.Result): Finding => ({
      id,
      impact: impact ?? null,
      nodes: nodes.map(({ html }) => ({ html: html.slice(0, 200) })),
    });
    return { violations: violations.map(brief), passes: passes.map(brief) };
  });
}

const views: [name: string, options: BrowserContextOptions][] = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['light on a phone', { colorScheme: 'light', viewport: { width: 360, height: 740 } }],
  ['dark on a phone', { colorScheme: 'dark', viewport: { width: 360, height: 740 } }],
];

describe.for(views)('%s', ([, options]) => {
  test('axe finds nothing in the page, and enough contrast in all texts', async () => {
    const page = await (await serveAll()).open({ ...options, reducedMotion: 'reduce' });

    const { violations, passes } = await examine(page);

    expect(violations).toEqual([]);
    const contrast = passes.find(({ id }) => id === 'color-contrast');
    expect(contrast?.nodes.length).toBeGreaterThan(50);
  });

  test('axe finds nothing in the dialog, an error in it', async () => {
    const page = await (await serveAll()).open({ ...options, reducedMotion: 'reduce' });
    await showDialog(page);

    expect((await examine(page)).violations).toEqual([]);
  });
});

describe('the width', () => {
  test.for([360, 640, 1024, 1440])('of %d px holds page and dialog', async (width) => {
    const page = await (await serveAll()).open({ viewport: { width, height: 740 } });
    const overflow = async (): Promise<number> =>
      page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(await overflow()).toBeLessThanOrEqual(0);

    await showDialog(page);

    expect(await overflow()).toBeLessThanOrEqual(0);
    const dialog = page.getByRole('dialog');
    expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  });
});

describe('a screen reader', () => {
  test('finds landmarks, headings, and a table for each state', async () => {
    const page = await (await serveAll()).open();

    const tree = await page.locator('body').ariaSnapshot();

    expect(tree).toContain('- banner:\n');
    expect(tree).toContain('- search:\n');
    expect(tree).toContain('- searchbox "Search by key or name"');
    expect(tree).toContain('- combobox "State"');
    expect(tree).toContain('- main "Breakers":\n');
    expect(tree).toContain('- complementary "Orders and recent events":\n');
    expect(tree).toContain('- heading "Circuit breakers" [level=1]');
    expect(tree).toContain('- heading "Half-open 1" [level=3]');
    const headers = ['State', 'Failures', 'Slow', 'Calls', 'In flight', 'Refused', 'History'];
    for (const header of [...headers, 'Act', 'Why']) {
      expect(tree).toContain(`- columnheader "${header}"`);
    }
    expect(tree).toContain('- table "Open 1":\n');
    expect(tree).toMatch(/- rowheader "payments endpoint · GET https:\/\/api.example.com\/named"/);
    expect(tree).toMatch(/- cell "Open for \d+ s"/);
    expect(tree).toContain('- button "Act… on GET https://api.example.com/named"');
  });

  test('has the same tables on a phone', async () => {
    const served = await serveAll();
    const wide = await served.open();
    const narrow = await served.open({ viewport: { width: 360, height: 740 } });
    const tables = async (page: Page): Promise<string> =>
      (await page.getByRole('main').ariaSnapshot()).replaceAll(/\d+ (s|min)/g, '');

    expect(await tables(narrow)).toBe(await tables(wide));
  });
});
