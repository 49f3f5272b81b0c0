import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { answer } from './answers.ts';
import { cutText } from './cut-text.ts';
import { ErrorAnswer } from './error-answer.ts';

const REMEDY = 'where a bundler takes the service in, have it leave @recloser/admin external';

interface Loaded {
  readonly html: string;
  readonly policy: string;
}

/** The operator's page: read at the first request for it. */
export class Page {
  #loading: Promise<Loaded> | undefined;

  /** @throws ErrorAnswer where the file can't be read */
  async answer(): Promise<Response> {
    this.#loading ??= load();
    const { html, policy } = await this.#loading.catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return answer(html, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
    });
  }
}

async function load(): Promise<Loaded> {
  const location = locate();
  try {
    const html = await readFile(location, 'utf8');
    return { html, policy: policyOf(html) };
  } catch {
    const where = `there is no ${cutText(location.href)} to be read`;
    throw new ErrorAnswer(500, `${where}: ${REMEDY}, or copy page.html of it there`);
  }
}

/** Not before it is needed: bundled to CommonJS there is no `import.meta.url`. */
function locate(): URL {
  try {
    return new URL('../page.html', import.meta.url);
  } catch {
    const where = 'page.html of @recloser/admin is not to be found from within a CommonJS bundle';
    throw new ErrorAnswer(500, `${where}: ${REMEDY}`);
  }
}

/** Nothing but what stands in the page itself, and its own server. */
function policyOf(html: string): string {
  return [
    "default-src 'none'",
    `script-src ${hashesOf('script', html)}`,
    `style-src ${hashesOf('style', html)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function hashesOf(element: 'script' | 'style', html: string): string {
  const blocks = html.matchAll(new RegExp(`<${element}(?:\\s[^>]*)?>(.*?)</${element}>`, 'gis'));
  const hashes = [...blocks].map(([, text = '']) => {
    const hash = createHash('sha256').update(text).digest('base64');
    return `'sha256-${hash}'`;
  });
  return hashes.length === 0 ? "'none'" : hashes.join(' ');
}
