import { addCircuitBreaker } from '@recloser/axios';
import { wrapGlobalFetch } from '@recloser/fetch';
import { endpointBreaker, outcomesOf } from '@recloser/test-support/outcomes';
import { startServer, status } from '@recloser/test-support/server';
import axios from 'axios';
import { expect, test } from 'vitest';
import { axiosDrivers } from './drivers/axios.ts';
import { testAdapter } from './test-adapter.ts';

for (const driver of axiosDrivers) testAdapter(driver);

test('axios, by its fetch adapter over a global fetch behind the same breaker, counts once', async () => {
  await using server = await startServer(status(200));
  const breaker = endpointBreaker();
  const outcomes = outcomesOf(breaker);
  const restore = wrapGlobalFetch(breaker);
  try {
    const api = addCircuitBreaker(axios.create({ adapter: 'fetch' }), breaker);

    await api.get(server.url);
    await api.post(server.url, { name: 'Ada' });
  } finally {
    restore();
  }

  expect(outcomes).toEqual(['success 200', 'success 200']);
});

test('axios streams a 204 by its fetch adapter, but for 1.7.0, which so is not held to the contract', async () => {
  await using server = await startServer(status(204));

  const call = axios.get(server.url, { adapter: 'fetch', responseType: 'stream' });
  const ended = await call.then(
    () => 'resolves',
    () => 'rejects',
  );

  expect(ended).toBe(process.env['CLIENTS'] === 'floor' ? 'rejects' : 'resolves');
});
