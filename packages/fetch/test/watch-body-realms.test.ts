import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { defineRules, wrapFetch, type HttpCircuitBreaker } from '../src/index.ts';
import { endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { standIn } from './stand-in.ts';

/** Parses as the code of another realm does, as in some test runners. */
const parseElsewhere = runInNewContext('JSON.parse') as typeof JSON.parse;

/** Reads a body as JSON by a Response of another realm, and answers what that throws. */
async function parse(text: string, breaker: HttpCircuitBreaker): Promise<unknown> {
  const value = async (): Promise<unknown> => parseElsewhere(text);
  const response = new Response(text);
  Object.defineProperty(response, 'json', { value, writable: true, configurable: true });
  const api = wrapFetch(
    standIn(() => response),
    breaker,
    { watchBody: true },
  );
  return (await api('http://api.example.com/')).json().catch((error: unknown) => error);
}

describe('a body that is no JSON, says a SyntaxError of another realm, and', () => {
  test.for([
    'connection refused',
    'error: "connection reset by peer"',
    'terminated',
    'fetch failed',
  ])('says `%s`, amends nothing', async (text) => {
    // Whatever an error says, it is a failure.
    const rules = defineRules([{ error: 'any', outcome: 'failure' }]);
    const breaker = endpointBreaker({}, { rules });
    const outcomes = outcomesOf(breaker);

    const error = await parse(text, breaker);

    expect(error).not.toBeInstanceOf(SyntaxError);
    expect(error).toMatchObject({ name: 'SyntaxError' });
    expect(outcomes).toEqual(['success 200']);
  });

  test('names a failure of the network, amends nothing by the standard rules', async () => {
    const breaker = endpointBreaker();
    const outcomes = outcomesOf(breaker);
    for (const text of ['connection refused', 'error: no route to host'])
      await parse(text, breaker);
    expect(outcomes).toEqual(['success 200', 'success 200']);
  });
});
