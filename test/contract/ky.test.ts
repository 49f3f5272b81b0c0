import { kyDrivers } from './drivers/ky.ts';
import { testAdapter } from './test-adapter.ts';

for (const driver of kyDrivers) testAdapter(driver);
