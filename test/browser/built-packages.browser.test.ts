import { addCircuitBreaker } from '@recloser/axios';
import { HttpCircuitBreaker } from '@recloser/core';
import { wrapFetch } from '@recloser/fetch';
import { circuitBreaker } from '@recloser/ky';
import axios from 'axios';
import { expect, test } from 'vitest';

const unknown: object = { unknown: true };

test.for([
  ['core', () => new HttpCircuitBreaker(unknown)],
  ['fetch', () => wrapFetch(fetch, {}, unknown)],
  ['ky', () => circuitBreaker({}, unknown)],
  ['axios', () => addCircuitBreaker(axios.create(), {}, unknown)],
] as const)('the page runs what was built of %s, and not its sources', ([name, make]) => {
  expect(make).toThrow(
    expect.objectContaining({ stack: expect.stringContaining(`/packages/${name}/dist/`) }),
  );
});
