// `pnpm soak [text]`: a minute through each client, or each whose name has the text in it. Prints what
// was found; what should not be ends it with 1.
import { drivers } from '../drivers/index.ts';
import { faultsOf, soak } from './soak.ts';

const [text = ''] = process.argv.slice(2);
const seed = Number(process.env['SOAK_SEED'] ?? Date.now() % 2 ** 31);
console.log(`Node ${process.version}, SOAK_SEED=${seed}`);

for (const driver of drivers.filter(({ name }) => name.includes(text))) {
  const report = await soak(driver, { seconds: 60, seed });
  const faults = faultsOf(report);
  console.log(driver.name, report, faults.length === 0 ? 'as it is to be' : faults);
  if (faults.length > 0) process.exitCode = 1;
}
