import { wrapFetch } from '@recloser/fetch';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { drivers } from '../drivers/index.ts';
import { expectBrokenBody, expectRefusal, mockedClient, statusOf, url } from './mocked-client.ts';

/** As a module has it that is loaded before the mock is. */
const earlyFetch = wrapFetch(fetch);
const lateFetch = wrapFetch((...args: Parameters<typeof fetch>) => fetch(...args));

const server = setupServer();

beforeAll(() => server.listen({ onUnhandledFrame: 'bypass' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

/** msw 3 takes over fetch and `node:http`, and no dispatcher of undici. */
const isUnseen = (name: string): boolean => name.startsWith('undici');

describe.each(drivers.filter(({ name }) => !isUnseen(name)))('$name, mocked by msw', (driver) => {
  test('counts by the status of the handlers’ responses', async () => {
    let status = 200;
    server.use(http.get(url, () => new HttpResponse('text', { status })));
    const { client, outcomes } = mockedClient(driver);

    expect(await statusOf(client)).toBe(200);
    status = 404;
    expect(await statusOf(client)).toBe(404);
    status = 503;
    expect(await statusOf(client)).toBe(503);

    expect(outcomes).toEqual(['success 200', 'success 404', 'failure 503']);
  });

  test('asks no handler while its breaker is open, and recovers', async () => {
    let asked = 0;
    let status = 503;
    server.use(
      http.get(url, () => {
        asked++;
        return new HttpResponse(null, { status });
      }),
    );
    const { client, clock, outcomes } = mockedClient(driver);
    await statusOf(client);
    await statusOf(client);

    await expectRefusal(client);
    expect(asked).toBe(2);
    status = 200;
    clock.advance(1001);
    expect(await statusOf(client)).toBe(200);

    expect(outcomes).toEqual([
      'failure 503',
      'failure 503',
      'closed to open',
      'refused open',
      'open to half-open',
      'success 200',
      'half-open to closed',
    ]);
  });

  test('counts HttpResponse.error() as a failure', async () => {
    server.use(http.get(url, () => HttpResponse.error()));
    const { client, outcomes } = mockedClient(driver);

    await expect(statusOf(client)).rejects.toBeInstanceOf(Error);

    expect(outcomes).toEqual([expect.stringMatching(/^failure /)]);
  });

  test('sees a body break off only where it is a client of node:http: to fetch msw ends it', async () => {
    const body = (): ReadableStream =>
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('half'));
          setImmediate(() => controller.error(new Error('cut')));
        },
      });
    server.use(http.get(url, () => new HttpResponse(body())));

    await expectBrokenBody(driver);
  });

  test('counts the handlers of a test of its own again after resetHandlers', async () => {
    server.use(http.get(url, () => new HttpResponse(null, { status: 503 })));
    const { client, outcomes } = mockedClient(driver);
    await statusOf(client);

    server.resetHandlers(http.get(url, () => new HttpResponse('text')));
    expect(await statusOf(client)).toBe(200);

    expect(outcomes).toEqual(['failure 503', 'success 200']);
  });
});

describe.each(drivers.filter(({ name }) => isUnseen(name)))(
  '$name, which msw does not see,',
  (driver) => {
    test('goes to the network past its handlers', async () => {
      server.use(http.get(url, () => new HttpResponse('text')));
      const { client, outcomes } = mockedClient(driver);

      await expect(statusOf(client)).rejects.toBeInstanceOf(Error);

      expect(outcomes).toEqual(['failure dns']);
    });
  },
);

describe('a fetch that was wrapped before msw listened', () => {
  test('goes past msw, as the bare one does, since msw puts another in its place', async () => {
    server.use(http.get(url, () => new HttpResponse('text')));

    await expect(earlyFetch(url)).rejects.toThrow('fetch failed');
  });

  test('is mocked where what is wrapped looks fetch up at each call', async () => {
    server.use(http.get(url, () => new HttpResponse('text')));

    expect(await (await lateFetch(url)).text()).toBe('text');
  });
});
