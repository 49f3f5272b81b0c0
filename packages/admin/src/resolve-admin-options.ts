import { checkCount, checkFunction, checkNames, checkObject, shown } from '@recloser/core/adapter';
import { AdminClock } from './admin-clock.ts';
import type { AdminOptions } from './admin-options.ts';

const known = ['authorize', 'basePath', 'recentEvents', 'clock', 'signal'];
const MOST_EVENTS = 10_000;

export interface ResolvedAdminOptions {
  readonly authorize: AdminOptions['authorize'];
  /** Begins with a slash and ends without one; empty for the root. */
  readonly basePath: string;
  readonly recentEvents: number;
  readonly clock: AdminClock;
  readonly signal: AbortSignal | undefined;
}

/** @throws TypeError or RangeError that names the option and its value */
export function resolveAdminOptions(options: AdminOptions): ResolvedAdminOptions {
  checkNames('createAdminHandler', checkObject('createAdminHandler: options', options), known);
  const { authorize, basePath = '/', recentEvents = 200, clock, signal } = options;
  return {
    authorize: checkFunction('createAdminHandler: authorize', authorize),
    basePath: checkBasePath(basePath),
    recentEvents: checkCount('createAdminHandler: recentEvents', recentEvents, MOST_EVENTS),
    clock: new AdminClock(checkClock(clock)),
    signal: checkSignal(signal),
  };
}

function checkBasePath(path: unknown): string {
  const what = 'createAdminHandler: basePath';
  if (typeof path !== 'string')
    throw new TypeError(`${what} must be a string, but is ${shown(path)}`);
  if (/[?#]/.test(path)) {
    throw new TypeError(`${what} must be a path without a query, but is ${shown(path)}`);
  }
  // Written as the path of a URL is, so that the two can be compared.
  const { pathname } = new URL(`http://localhost/${path.replace(/^\/+/, '')}`);
  return pathname.replace(/\/+$/, '');
}

function checkClock(clock: AdminOptions['clock']): AdminOptions['clock'] {
  if (clock === undefined) return undefined;
  if (typeof clock?.now === 'function' && typeof clock.date === 'function') return clock;
  throw new TypeError(
    `createAdminHandler: clock must have the functions now and date, but is ${shown(clock)}`,
  );
}

function checkSignal(signal: AdminOptions['signal']): AdminOptions['signal'] {
  // Of whatever realm.
  if (signal === undefined || typeof signal?.addEventListener === 'function') return signal;
  throw new TypeError(`createAdminHandler: signal must be an AbortSignal, but is ${shown(signal)}`);
}
