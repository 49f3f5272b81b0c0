import { fetchDrivers } from './drivers/fetch.ts';
import { testAdapter } from './test-adapter.ts';

for (const driver of fetchDrivers) testAdapter(driver);
