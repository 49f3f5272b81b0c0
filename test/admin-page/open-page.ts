import { chromiumArguments } from '@recloser/test-support/chromium-arguments';
import { findExecutable } from '@recloser/test-support/find-executable';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';

/** Only what hangs is to end by it: a slow machine is no reason to fail. */
const PATIENCE = 60_000;

let browser: Browser;

/** For each file of tests to call once. */
export function useChromium(): void {
  beforeAll(async () => {
    const executablePath = findExecutable('chromium');
    if (executablePath === undefined) throw new Error('there is no chromium on PATH');
    browser = await chromium.launch({
      executablePath,
      args: chromiumArguments,
    });
  });
  afterAll(async () => browser?.close());
}

export interface OpenOptions extends BrowserContextOptions {
  /** Complaints on the console that the test itself brings about. */
  readonly expected?: RegExp;
}

/**
 * Opens the page, and waits until it is live. Where it complains by the end of the test, or has asked
 * anything of another origin, the test fails.
 */
export async function openPage(
  url: string,
  { expected, ...options }: OpenOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  // It goes on as ever, but may be moved on.
  await context.clock.install();
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const complaints: string[] = [];
  const { origin } = new URL(url);
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => {
    complaints.push(`a script ran: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    const text = message.text();
    // Chromium tells of a broken policy as an error, too.
    if (['error', 'warning'].includes(message.type()) && expected?.test(text) !== true) {
      complaints.push(text);
    }
  });
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) complaints.push(`asked for ${request.url()}`);
  });
  onTestFinished(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  await page.goto(url);
  await page.getByText('Live', { exact: true }).waitFor();
  return page;
}
