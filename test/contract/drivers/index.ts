import type { Driver } from '../contract.ts';
import { axiosDrivers } from './axios.ts';
import { fetchDrivers } from './fetch.ts';
import { gotDrivers } from './got.ts';
import { kyDrivers } from './ky.ts';
import { undiciDrivers } from './undici.ts';

/** Every client, in every way in which it is used. */
export const drivers: readonly Driver[] = [
  ...fetchDrivers,
  ...axiosDrivers,
  ...gotDrivers,
  ...kyDrivers,
  ...undiciDrivers,
];
