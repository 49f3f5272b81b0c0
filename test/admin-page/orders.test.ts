import type { ControlEvent } from '@recloser/core';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useChromium } from './open-page.ts';
import { keyOf, ServedPage } from './served-page.ts';

useChromium();

const isFocused = async (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => element === document.activeElement);

async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let pressed = 0; pressed < 40; pressed++) {
    if (await isFocused(target)) return;
    await page.keyboard.press('Tab');
  }
  expect.fail('the Tab key does not lead there');
}

const actOn = (page: Page, path: string): Locator =>
  page.getByRole('button', { name: `Act… on ${keyOf(path)}` });

function ordersGiven({ breaker }: ServedPage): ControlEvent[] {
  const events: ControlEvent[] = [];
  breaker.on('control', (event) => events.push(event));
  return events;
}

describe('an order', () => {
  test('is given to one breaker by the keyboard alone', async () => {
    const served = await ServedPage.serve();
    for (const path of ['/a', '/b']) served.call(path, 200, 5);
    const given = ordersGiven(served);
    const page = await served.open();
    const dialog = page.getByRole('dialog', { name: 'Act on breakers' });

    await tabTo(page, actOn(page, '/b'));
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await page.keyboard.press('Space');
    await tabTo(page, dialog.getByLabel('Reason'));
    await page.keyboard.type('their <b>maintenance</b>');
    await tabTo(page, dialog.getByRole('button', { name: 'Force open: 1 breaker' }));
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });

    expect(served.breaker.find(keyOf('/b'))?.state).toBe('forced-open');
    expect(served.breaker.find(keyOf('/a'))?.state).toBe('closed');
    expect(given).toMatchObject([
      {
        action: 'forceOpen',
        breaker: keyOf('/b'),
        reason: 'their <b>maintenance</b>',
        expiresAt: served.clock.date() + 1_800_000,
        moved: [keyOf('/b')],
      },
    ]);
    const result = `Force open on ${keyOf('/b')}: moved 1 breaker, skipped 0.`;
    await page.getByRole('status').getByText(result).waitFor();
    expect(await isFocused(actOn(page, '/b'))).toBe(true);
    served.tell();
    await page.getByRole('table', { name: 'Forced open 1' }).waitFor();
  });

  test('goes to all that the pattern matches, which are shown before', async () => {
    const served = await ServedPage.serve();
    for (const path of ['/orders', '/orders/new', '/prices']) served.call(path, 200, 5);
    const page = await served.open();
    const dialog = page.getByRole('dialog');

    await page.getByRole('button', { name: 'Act on a pattern…' }).click();
    await page.keyboard.type('*orders*');
    await dialog.getByRole('radio', { name: /^Disable/ }).check();
    await dialog.getByLabel('when it is handed back').check();
    await dialog.getByText('Matches 2 of 3 breakers now, and those that are made later.').waitFor();
    expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual([
      `${keyOf('/orders')} closed`,
      `${keyOf('/orders/new')} closed`,
    ]);
    await dialog.getByLabel('Reason').fill('a false alarm');
    await dialog.getByRole('button', { name: 'Disable: 2 breakers' }).click();
    await dialog.waitFor({ state: 'hidden' });

    expect(served.breaker.snapshot().orders).toEqual([
      { action: 'disable', pattern: '*orders*', reason: 'a false alarm' },
    ]);
    expect(served.breaker.find(keyOf('/prices'))?.state).toBe('closed');
  });

  test('begins with what was searched for', async () => {
    const served = await ServedPage.serve();
    for (const path of ['/orders', '/prices']) served.call(path, 200);
    const page = await served.open();

    await page.getByRole('searchbox').fill('prices');
    await page.getByRole('button', { name: 'Act on a pattern…' }).click();

    expect(await page.getByLabel('Applies to').inputValue()).toBe('*prices*');
    await page.getByText('Matches 1 of 2 breakers now.').waitFor();
  });

  test('to open needs an end', async () => {
    const served = await ServedPage.serve();
    served.call('/a', 200, 5);
    const page = await served.open();
    const dialog = page.getByRole('dialog');

    await actOn(page, '/a').click();
    await dialog.getByRole('radio', { name: /^Open for/ }).check();
    expect(await dialog.getByLabel('when it is handed back').isVisible()).toBe(false);
    await dialog.getByLabel('How long').fill('2');
    await dialog.getByLabel('Unit').selectOption('hours');
    await dialog.getByLabel('Reason').fill('drain');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });

    expect(served.breaker.find(keyOf('/a'))?.metrics().retryAfterMs).toBe(7_200_001);
  });

  test.for([
    ['Close', 'closed'],
    ['Half-open', 'half-open'],
    ['Disable', 'disabled'],
    ['Metrics only', 'metrics-only'],
    ['Reset', 'closed'],
  ])('%s makes an open breaker %s', async ([action, state]) => {
    const served = await ServedPage.serve();
    served.call('/a', 503, 3);
    const page = await served.open();
    const dialog = page.getByRole('dialog');

    await actOn(page, '/a').click();
    await dialog.getByRole('radio', { name: new RegExp(`^${action} `) }).check();
    await dialog.getByLabel('Reason').fill('by hand');
    await dialog.getByRole('button', { name: `${action}: 1 breaker` }).click();
    await dialog.waitFor({ state: 'hidden' });

    expect(served.breaker.find(keyOf('/a'))?.state).toBe(state);
  });

  test('that stands is handed back from the list of those', async () => {
    const served = await ServedPage.serve();
    served.call('/a', 200, 5);
    served.breaker.control('*a').disable({ reason: 'a false alarm' });
    const page = await served.open();
    const dialog = page.getByRole('dialog');

    await page.getByRole('button', { name: 'Hand back… *a' }).click();
    await page.keyboard.type('over');
    await dialog.getByRole('button', { name: 'Hand back: 1 breaker' }).click();
    await dialog.waitFor({ state: 'hidden' });

    expect(served.breaker.find(keyOf('/a'))?.state).toBe('closed');
    served.tell();
    await page.getByRole('list', { name: /Standing orders/ }).waitFor({ state: 'hidden' });
  });

  test('says which breakers can’t make the move, and which were skipped', async () => {
    const served = await ServedPage.serve();
    served.call('/a', 200, 5);
    const page = await served.open();
    const dialog = page.getByRole('dialog');

    await actOn(page, '/a').click();
    await dialog.getByRole('radio', { name: /^Half-open/ }).check();
    await dialog.getByText('closed, can’t, and stays as it is').waitFor();
    await dialog.getByLabel('Reason').fill('try it');
    await page.keyboard.press('Enter');

    const left = `moved 0 breakers, skipped 1. Left as it is: ${keyOf('/a')}.`;
    await page.getByRole('status').getByText(left).waitFor();
  });

  test('has the exact pattern of the one that it ends, though a field can’t hold it', async () => {
    const served = await ServedPage.serve();
    served.breaker.control('a\nb').disable({ reason: 'a false alarm' });
    const page = await served.open();

    await page.getByRole('button', { name: /^Hand back…/ }).click();
    await page.getByLabel('Reason').fill('over');
    await page.keyboard.press('Enter');

    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(served.breaker.snapshot().orders).toEqual([]);
  });

  test('shows that a star in a key stands for any text', async () => {
    const keys = ['a*b', 'a-and-b'];
    const served = await ServedPage.serve({ key: () => keys.pop() });
    served.call('/', 200, 2);
    const page = await served.open();

    await page.getByRole('button', { name: 'Act… on a*b' }).click();

    await page.getByText('Matches 2 of 2 breakers now.').waitFor();
  });
});

describe('an order that is not given', () => {
  test('leaves all as it is when Escape closes the dialog, and the focus returns', async () => {
    const served = await ServedPage.serve();
    served.call('/a', 200, 5);
    const given = ordersGiven(served);
    const page = await served.open();

    await actOn(page, '/a').press('Enter');
    await page.getByRole('radio', { name: /^Force open/ }).check();
    await page.getByLabel('Reason').fill('a mistake');
    await page.keyboard.press('Escape');

    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await isFocused(actOn(page, '/a'))).toBe(true);
    expect(given).toEqual([]);
    expect(served.breaker.find(keyOf('/a'))?.state).toBe('closed');
  });

  test('leaves the focus at the search where its breaker went meanwhile', async () => {
    const served = await ServedPage.serve({ maxBreakers: 1 });
    served.call('/a', 200, 5);
    const page = await served.open();
    await actOn(page, '/a').press('Enter');

    served.call('/b', 200, 5);
    served.tell();
    await page.getByText('Matches 0 of 1 breaker now.').waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await expect.poll(async () => isFocused(page.getByRole('searchbox'))).toBe(true);
  });

  test('says what is missing, where it is missing', async () => {
    const served = await ServedPage.serve();
    served.call('/a', 200, 5);
    const page = await served.open();
    const dialog = page.getByRole('dialog');
    const error = dialog.getByRole('alert');

    await actOn(page, '/a').click();
    await dialog.getByRole('button', { name: 'Choose an action' }).click();
    await error.getByText('Choose an action.').waitFor();
    await dialog.getByRole('radio', { name: /^Force open/ }).check();
    await dialog.getByLabel('How long').fill('0');
    await page.keyboard.press('Enter');
    await error.getByText('Say for how long.').waitFor();
    await dialog.getByLabel('How long').fill('1');
    await page.keyboard.press('Enter');
    await error.getByText('Give a reason.').waitFor();

    const reason = dialog.getByLabel('Reason');
    expect(await reason.getAttribute('aria-invalid')).toBe('true');
    expect(await isFocused(reason)).toBe(true);
  });

  test('shows the server’s refusal in the dialog, and keeps what was typed', async () => {
    const served = await ServedPage.serve();
    served.call('/a', 200, 5);
    served.server.access.act = false;
    const page = await served.open({ expected: /status of 403/ });
    const dialog = page.getByRole('dialog');

    await actOn(page, '/a').click();
    await dialog.getByRole('radio', { name: /^Force open/ }).check();
    await dialog.getByLabel('Reason').fill('maintenance');
    await page.keyboard.press('Enter');

    await dialog.getByRole('alert').getByText('The server answers 403: ').waitFor();
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('maintenance');
    expect(served.breaker.find(keyOf('/a'))?.state).toBe('closed');
  });

  test('says where no answer came', async () => {
    const served = await ServedPage.serve();
    served.call('/a', 200, 5);
    const page = await served.open({ expected: /ERR_/ });
    const dialog = page.getByRole('dialog');
    await actOn(page, '/a').click();
    await dialog.getByRole('radio', { name: /^Close/ }).check();
    await dialog.getByLabel('Reason').fill('it is back');

    await served.server.stop();
    await page.keyboard.press('Enter');

    await dialog.getByRole('alert').getByText('No answer from the server.').waitFor();
  });
});
