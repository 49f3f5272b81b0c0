import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useChromium } from './open-page.ts';
import { keyOf, ServedPage } from './served-page.ts';

useChromium();

const isMode = async (page: Page, mode: string): Promise<void> =>
  page.getByText(mode, { exact: true }).waitFor();

/** Chromium tells of each answer that is no stream, and of each that does not come. */
const expected = /ERR_|status of \d+|EventSource/;

describe('when the server goes', () => {
  test('the page says so, and is live again with the next one on the same port', async () => {
    const served = await ServedPage.serve();
    served.call('/price', 200, 5);
    const page = await served.open({ expected });
    await page.getByRole('button', { name: /^Act… on/ }).click();
    await page.getByLabel('Reason').fill('half a sentence');

    await served.server.stop();
    await isMode(page, 'Reconnecting');
    await page.getByRole('rowheader', { name: keyOf('/price') }).waitFor();
    const next = ServedPage.breakerWith(served.clock);
    next.admit({ url: 'https://api.example.com/price', method: 'GET' }).responded(200);
    await served.server.resume(next);
    next.control('*price').forceOpen({ reason: 'the new one' });

    await isMode(page, 'Live');
    await page.getByRole('status').getByText('Live again.').waitFor();
    expect(await page.getByLabel('Reason').inputValue()).toBe('half a sentence');
    await page.keyboard.press('Escape');
    await page.getByRole('img', { name: /closed, then forced-open; over/ }).waitFor();
    await page.getByText('Force open: “the new one”. Moved 1, skipped 0.').waitFor();
  });

  test('the page comes back after a proxy that answers 502', async () => {
    const served = await ServedPage.serve();
    served.call('/price', 200, 5);
    const page = await served.open({ expected });
    await served.server.stop();
    await served.server.resumeAsProxy(502);
    await page.waitForResponse((response) => response.status() === 502);
    await isMode(page, 'Reconnecting');

    await served.server.stop();
    await served.server.resume();

    await isMode(page, 'Live');
    served.call('/price', 503, 3);
    served.tell();
    await page.getByRole('table', { name: 'Open 1' }).waitFor();
  });
});

describe('when access is lost', () => {
  test('the page says so, asks no more, and is live again once it has it back', async () => {
    const served = await ServedPage.serve();
    served.call('/price', 200, 5);
    const page = await served.open({ expected });

    await served.server.stop();
    served.server.access.read = false;
    await served.server.resume();

    await isMode(page, 'No access');
    const alert = page.getByRole('alert').filter({ hasText: 'Access is lost' });
    await alert.getByText('the server answers 403').waitFor();
    await page.getByRole('rowheader', { name: keyOf('/price') }).waitFor();

    await page.getByRole('button', { name: 'Try again' }).click();
    await alert.waitFor();
    served.server.access.read = true;
    await page.getByRole('button', { name: 'Try again' }).click();
    await isMode(page, 'Live');
    expect(await alert.isVisible()).toBe(false);
  });
});

describe('the page', () => {
  test('is the same with a slash at the end of its address', async () => {
    const served = await ServedPage.serve();
    served.call('/price', 200, 5);
    const page = await served.open();

    await page.goto(`${served.server.url}/`);

    await isMode(page, 'Live');
    await page.getByRole('rowheader', { name: keyOf('/price') }).waitFor();
  });

  test('says so where there is no breaker yet, and shows the first that is made', async () => {
    const served = await ServedPage.serve();
    const page = await served.open();
    await page.getByText('Is this breaker handed to your client?').waitFor();

    served.call('/price', 200);
    served.tell();

    await page.getByRole('rowheader', { name: keyOf('/price') }).waitFor();
  });

  test('asks for the figures itself where nothing changes for a while', async () => {
    const served = await ServedPage.serve();
    served.call('/price', 200, 5);
    const page = await served.open();
    served.call('/price', 200, 7);

    await page.clock.fastForward(7000);

    await page.getByRole('cell', { name: '12', exact: true }).waitFor();
  });

  test('says that it is stale, and how old, where no answer comes', async () => {
    const served = await ServedPage.serve();
    const page = await served.open({ expected });
    await page.route('**/api/*', async (route) => route.abort());

    await page.clock.fastForward(7000);
    await page.clock.fastForward(14_000);

    await isMode(page, 'Stale');
    await page.getByText(/^data of .*, 2\d s old$/).waitFor();
    await page.unroute('**/api/*');
    await page.clock.fastForward(2000);
    await isMode(page, 'Live');
  });
});
