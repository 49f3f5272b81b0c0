import nock from 'nock';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { drivers } from '../drivers/index.ts';
import { expectBrokenBody, expectRefusal, mockedClient, statusOf, url } from './mocked-client.ts';

const { origin, pathname } = new URL(url);

beforeAll(() => nock.disableNetConnect());
afterEach(() => nock.cleanAll());
afterAll(() => nock.restore());

describe.each(drivers)('$name, mocked by nock', (driver) => {
  test('counts by the status of the replies', async () => {
    nock(origin).get(pathname).reply(200, 'text').get(pathname).reply(404).get(pathname).reply(503);
    const { client, outcomes } = mockedClient(driver);

    expect(await statusOf(client)).toBe(200);
    expect(await statusOf(client)).toBe(404);
    expect(await statusOf(client)).toBe(503);

    expect(outcomes).toEqual(['success 200', 'success 404', 'failure 503']);
  });

  test('uses no reply up while its breaker is open, and recovers', async () => {
    const scope = nock(origin).get(pathname).times(2).reply(503).get(pathname).reply(200, 'text');
    const { client, clock, outcomes } = mockedClient(driver);
    await statusOf(client);
    await statusOf(client);

    await expectRefusal(client);
    expect(scope.isDone()).toBe(false);
    clock.advance(1001);
    expect(await statusOf(client)).toBe(200);

    expect(scope.isDone()).toBe(true);
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

  test.each([
    ['ECONNRESET', 'failure reset'],
    ['ECONNREFUSED', 'failure refused'],
    ['ENOTFOUND', 'failure dns'],
  ])('counts replyWithError with %s as what it is', async (code, outcome) => {
    nock(origin)
      .get(pathname)
      .replyWithError(Object.assign(new Error('no'), { code }));
    const { client, outcomes } = mockedClient(driver);

    await expect(statusOf(client)).rejects.toBeInstanceOf(Error);

    expect(outcomes).toEqual([outcome]);
  });

  test('sees a body break off only where it is a client of node:http: to others nock ends it', async () => {
    nock(origin)
      .get(pathname)
      .reply(200, () => {
        const body = new Readable({ read() {} });
        body.push('half');
        setImmediate(() => body.destroy(new Error('cut')));
        return body;
      });

    await expectBrokenBody(driver);
  });

  test('counts a request that nothing is mocked for as a failure of the network', async () => {
    const { client, outcomes } = mockedClient(driver);

    await expect(statusOf(client)).rejects.toBeInstanceOf(Error);

    expect(outcomes).toEqual(['failure unreachable']);
  });
});
