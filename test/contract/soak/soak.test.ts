import { describe, expect, test } from 'vitest';
import { drivers } from '../drivers/index.ts';
import { faultsOf, soak } from './soak.ts';

const seed = Number(process.env['SOAK_SEED'] ?? Date.now() % 2 ** 31);

// One after the other: each shows what its own heap does.
describe(`five seconds of random endings, 200 calls at a time, SOAK_SEED=${seed}, leave nothing behind`, () => {
  test.for(drivers.map((driver) => [driver.name, driver] as const))('%s', async ([, driver]) => {
    const report = await soak(driver, { seed });

    expect(faultsOf(report), JSON.stringify(report)).toEqual([]);
  });
});
