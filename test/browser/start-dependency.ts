import {
  closeBeforeHeaders,
  HalfBody,
  hang,
  redirect,
  refusingUrl,
  resetBeforeHeaders,
  startServer,
  status,
  type Answer,
  type TestServer,
} from '@recloser/test-support/server';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** What one test has sent. */
class Caller {
  readonly #halves: HalfBody[] = [];
  readonly #awaited: { readonly least: number; readonly answer: () => void }[] = [];
  #arrivals = 0;

  /** `answers` are to be given one after the other, the last of them from then on. */
  answer(answers: readonly string[]): Answer {
    const name = answers[Math.min(this.#arrivals++, answers.length - 1)]!;
    for (const { least, answer } of this.#awaited) if (this.#arrivals === least) answer();
    return this.#named(name);
  }

  #named(name: string): Answer {
    if (name === 'close') return closeBeforeHeaders;
    if (name === 'reset') return resetBeforeHeaders;
    if (name === 'hang') return hang;
    if (name === 'redirect') return redirect('redirected');
    if (name === 'redirected') return status(200, 'redirected');
    if (name === 'half') return this.#half({});
    if (name === 'half-chunked') return this.#half({ 'transfer-encoding': 'chunked' });
    return status(Number(name), `status ${name}`);
  }

  #half(headers: OutgoingHttpHeaders): Answer {
    // Without a type a browser waits for more of it, to guess.
    const half = new HalfBody({ 'content-type': 'application/octet-stream', ...headers });
    this.#halves.push(half);
    return half.answer;
  }

  /** Answers with the number of arrivals when they are so many. */
  tellArrivals(least: number, response: ServerResponse): void {
    const answer = (): unknown => response.end(String(this.#arrivals));
    if (this.#arrivals >= least) answer();
    else this.#awaited.push({ least, answer });
  }

  /** Breaks the bodies off of which half is sent. */
  async cut(): Promise<void> {
    for (const half of this.#halves.splice(0)) {
      await half.sent;
      half.cut();
    }
  }
}

/**
 * What the tests call from their page. `/CALLER/ANSWERS` answers as it says: a status, or `close`,
 * `reset`, `hang`, `half`, `half-chunked`, `redirect`, or several with commas between, one after
 * the other.
 */
export async function startDependency(): Promise<TestServer> {
  const callers = new Map<string, Caller>();
  return startServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    const [, name = '', what = ''] = pathname.split('/');
    const caller = callers.get(name) ?? new Caller();
    callers.set(name, caller);
    // Without it a page gets to see nothing of another origin.
    response.setHeader('access-control-allow-origin', '*');
    // A browser sends again by itself what a connection that was kept breaks off.
    response.setHeader('connection', 'close');
    if (what === 'arrivals') caller.tellArrivals(Number(searchParams.get('least')), response);
    else if (what === 'cut') void caller.cut().then(() => response.end());
    else if (what === 'refusing') void refusingUrl().then((url) => response.end(url));
    else caller.answer(what.split(','))(request, response);
  });
}
