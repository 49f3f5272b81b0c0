import { undiciDrivers } from './drivers/undici.ts';
import { testAdapter } from './test-adapter.ts';

for (const driver of undiciDrivers) testAdapter(driver);
