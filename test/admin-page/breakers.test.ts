import type { Locator, Page } from 'playwright-core';
import { describe, expect, test, vi } from 'vitest';
import { useChromium } from './open-page.ts';
import { keyOf, ServedPage } from './served-page.ts';

useChromium();

// The texts that are seen come with the next frame.
const names = async (page: Page): Promise<string[]> =>
  page.getByRole('rowheader').locator('.title').allTextContents();

const row = (page: Page, path: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: keyOf(path) }) });

describe('the list', () => {
  test('has the broken first, and what is closed last', async () => {
    const served = await ServedPage.serve();
    served.call('/closed', 200, 5);
    served.call('/fresh', 200);
    served.call('/half-open', 503, 3);
    served.clock.advance(30_001);
    served.call('/half-open', 200);
    served.call('/open', 503, 3);
    for (const path of ['/forced', '/counted', '/disabled']) served.call(path, 200);
    served.breaker.control(keyOf('/forced')).forceOpen({ reason: 'maintenance' });
    served.breaker.control(keyOf('/counted')).metricsOnly({ reason: 'rollout' });
    served.breaker.control(keyOf('/disabled')).disable({ reason: 'a false alarm' });

    const page = await served.open();

    const paths = ['/open', '/forced', '/half-open', '/counted', '/disabled', '/fresh', '/closed'];
    expect(await names(page)).toEqual(paths.map(keyOf));
    expect(await page.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual([
      'Open 1',
      'Forced open 1',
      'Half-open 1',
      'Metrics only 1',
      'Disabled 1',
      'Not evaluated 1',
      'Closed 1',
    ]);
    expect(await page.title()).toBe('2 refusing · Circuit breakers');
  });

  test('says why a breaker opened, when it tries again, and how long the outage lasts', async () => {
    const served = await ServedPage.serve();
    served.call('/price', 503, 3);
    served.clock.advance(12_000);

    const page = await served.open();

    const open = row(page, '/price');
    const text = await open.textContent();
    expect(text).toContain('Too many failures in a row · rule “server error” · status 503');
    expect(text).toMatch(/Last failure\s*status 503, 1\d s ago/);
    expect(text).toMatch(/Outage\s*for 1\d s/);
    expect(text).toMatch(/Tries again\s*in 1\d s/);
    await page.clock.fastForward(5000);
    await open.getByText(/^in (\d|1[0-3]) s$/).waitFor();
    await open.getByText(/^status 503, (1[7-9]|2\d) s ago$/).waitFor();
    served.clock.advance(18_001);
    await open.getByText('with the next call').waitFor();
  });

  test('says who holds a breaker, why, and until when', async () => {
    const served = await ServedPage.serve();
    served.call('/price', 200);
    served.breaker.control('*price').forceOpen({ reason: 'their maintenance', for: 3_600_000 });

    const page = await served.open();

    expect(await row(page, '/price').textContent()).toMatch(
      /Held\s*Force open on \*price: “their maintenance”, until .*, (1 h|59 min \d+ s) left/,
    );
    const order = page.getByRole('list', { name: /Standing orders/ }).getByRole('listitem');
    expect(await order.innerText()).toMatch(/\*price\s+Force open “their maintenance”/);
  });

  test('has the figures of each, and says why there is no rate', async () => {
    const served = await ServedPage.serve();
    served.call('/judged', 200, 9);
    served.call('/judged', 503);
    served.call('/fresh', 200, 2);

    const page = await served.open();

    const judged = await row(page, '/judged').getByRole('cell').allTextContents();
    expect(judged.slice(1, 6)).toEqual(['10 %', '0 %', '10', '0', '0']);
    const fresh = row(page, '/fresh');
    expect((await fresh.getByRole('cell').allTextContents()).slice(1, 4)).toEqual(['–', '–', '2']);
    const reasons = fresh.getByRole('img', { name: 'No rate yet: fewer calls than its minimum' });
    expect(await reasons.count()).toBe(2);
  });

  test('counts in its head what is open, on trial, closed and unguarded', async () => {
    const served = await ServedPage.serve();
    served.call('/open', 503, 3);
    served.call('/closed', 200, 5);
    served.call('/fresh', 200);
    served.breaker.admit({ url: 'not a url', method: 'GET' });

    const page = await served.open();

    const totals = page.getByLabel('Totals');
    expect(await totals.getByRole('term').allInnerTexts()).toEqual([
      'refusing',
      'on trial',
      'switched off',
      'closed',
      'evictions',
      'overflows',
      'unguarded',
    ]);
    const figures = await totals.getByRole('definition').allInnerTexts();
    expect(figures).toEqual(['1', '0', '0', '2', '0', '0', '1']);
  });

  test('begins with fifty of a group, and has the rest on demand', async () => {
    const served = await ServedPage.serve({ maxEndpointsPerHost: 1000 });
    for (let at = 0; at < 120; at++)
      served.call(`/path-${'abcdefghij'[at % 10]}/${letters(at)}`, 200);
    const page = await served.open();
    expect(await page.getByRole('rowheader').count()).toBe(50);

    await page.getByRole('button', { name: 'Show 70 more' }).press('Enter');

    expect(await page.getByRole('rowheader').count()).toBe(120);
    const focused = page.getByRole('row').nth(51).getByRole('button');
    expect(await focused.evaluate((button) => button === document.activeElement)).toBe(true);
  });

  test('shows markup in a key, a name, a reason and an error as text', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const markup = '<img src="x" onerror="alert(1)"><script>alert(2)</script>';
    const served = await ServedPage.serve({ key: () => markup });
    served.breaker.on('control', () => {
      throw new Error(markup);
    });
    served.call('/price', 200);
    served.breaker.control('*').disable({ reason: markup });

    const page = await served.open();

    expect(await names(page)).toEqual([markup]);
    expect(await page.getByRole('main').textContent()).toContain(`“${markup}”`);
    await page.getByText(`threw Error: ${markup}`).waitFor();
    await page.getByRole('button', { name: `Act… on ${markup}` }).click();
    expect(await page.getByLabel('Applies to').inputValue()).toBe(markup);
    expect(await page.locator('img, main script').count()).toBe(0);
  });
});

describe('a change', () => {
  test('arrives without a reload, is told once, and moves the breaker to the front', async () => {
    const served = await ServedPage.serve();
    served.call('/price', 200, 5);
    served.call('/a', 200, 5);
    const page = await served.open();
    await page.evaluate(() => Object.assign(window, { isTheSame: true }));
    expect(await names(page)).toEqual(['/a', '/price'].map(keyOf));

    served.call('/price', 503, 3);
    served.tell();

    await page.getByRole('table', { name: 'Open 1' }).waitFor();
    expect(await names(page)).toEqual(['/price', '/a'].map(keyOf));
    await page
      .getByRole('status')
      .getByText(`Opened: ${keyOf('/price')}.`)
      .waitFor();
    const history = row(page, '/price').getByRole('img', { name: /closed, then open; over/ });
    await history.waitFor();
    const events = page.getByRole('list', { name: 'Recent events' }).getByRole('listitem');
    await events
      .getByText('Closed → open. Too many failures in a row. Refuses for 30 s.')
      .waitFor();
    expect(await page.evaluate(() => 'isTheSame' in window)).toBe(true);
  });

  test('to and fro between open and half-open is shown, and not announced', async () => {
    const served = await ServedPage.serve();
    served.call('/price', 503, 3);
    const page = await served.open();

    served.clock.advance(30_001);
    served.call('/price', 200);
    served.tell();
    await page.getByRole('table', { name: 'Half-open 1' }).waitFor();
    await page.clock.fastForward(10_000);
    expect(await page.getByRole('status').innerText()).toBe('');

    served.breaker.control('*').close({ reason: 'it is back' });
    served.tell();
    await page
      .getByRole('table', { name: 'Not evaluated 1' })
      .or(page.getByRole('table', { name: 'Closed 1' }))
      .waitFor();
    await page.clock.fastForward(10_000);
    await page
      .getByRole('status')
      .getByText(`Closed again: ${keyOf('/price')}.`)
      .waitFor();
  });

  test('leaves the focus where it is, though the row moves', async () => {
    const served = await ServedPage.serve();
    for (const path of ['/a', '/b', '/c']) served.call(path, 200, 5);
    const page = await served.open();
    const button = page.getByRole('button', { name: `Act… on ${keyOf('/b')}` });
    await button.focus();

    served.call('/b', 503, 3);
    served.tell();

    await page.getByRole('table', { name: 'Open 1' }).waitFor();
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test('takes a breaker away that was evicted', async () => {
    const served = await ServedPage.serve({ maxBreakers: 2 });
    served.call('/a', 200);
    served.call('/b', 200);
    const page = await served.open();

    served.call('/c', 200);
    served.tell();

    await page.getByRole('rowheader', { name: keyOf('/c') }).waitFor();
    expect(await names(page)).toEqual(['/b', '/c'].map(keyOf));
    await page.getByText('Forgotten to make room.').waitFor();
  });
});

describe('the search', () => {
  test('finds by key and by name, and keeps focus and text when data arrive', async () => {
    const served = await ServedPage.serve({ overrides: [{ path: '/pay', name: 'Payments' }] });
    for (const path of ['/pay', '/orders', '/orders/new']) served.call(path, 200);
    const page = await served.open();

    await page.keyboard.press('/');
    await page.keyboard.type('ORDERS');
    expect(await names(page)).toEqual(['/orders', '/orders/new'].map(keyOf));

    served.call('/orders/old', 503, 3);
    served.tell();
    await page.getByRole('table', { name: 'Open 1' }).waitFor();
    expect(await names(page)).toEqual(['/orders/old', '/orders', '/orders/new'].map(keyOf));

    await page.keyboard.type('*w');
    expect(await names(page)).toEqual([keyOf('/orders/new')]);
    await page.keyboard.press('Escape');
    await page.keyboard.type('payment');
    expect(await names(page)).toEqual(['Payments']);
    await page.keyboard.type('?');
    await page.getByText('No breaker is found by that search and state.').waitFor();
  });

  test('goes by state, too', async () => {
    const served = await ServedPage.serve();
    served.call('/open', 503, 3);
    served.call('/closed', 200, 5);
    const page = await served.open();

    await page.getByLabel('State').selectOption('Broken: open or on trial');
    expect(await names(page)).toEqual([keyOf('/open')]);
    await page.getByLabel('State').selectOption('Closed');
    expect(await names(page)).toEqual([keyOf('/closed')]);
  });
});

/** A different word for each number, which no key takes for an id. */
function letters(number: number): string {
  return String(number).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');
}
