import type { AxiosError, InternalAxiosRequestConfig } from 'axios';
import { discardBody } from './discard-body.ts';

type ValidateStatus = NonNullable<InternalAxiosRequestConfig['validateStatus']>;

/** What the caller gave, by what stands for it while it is sent. */
const given = new WeakMap<ValidateStatus, ValidateStatus>();

/**
 * Rejects with what the caller's `validateStatus` throws: of axios's own, the http adapter would
 * never settle.
 */
export async function withCaughtStatus<T>(
  config: InternalAxiosRequestConfig,
  send: () => Promise<T>,
): Promise<T> {
  // A key that is not there must not be made: for axios `undefined` is something else.
  if (!config.validateStatus) return send();
  const validateStatus = given.get(config.validateStatus) ?? config.validateStatus;
  const thrown: unknown[] = [];
  const caught: ValidateStatus = (status) => {
    try {
      return validateStatus(status);
    } catch (error) {
      thrown.push(error);
      return false;
    }
  };
  given.set(caught, validateStatus);
  // A config that is frozen goes without.
  Reflect.set(config, 'validateStatus', caught);
  try {
    return await send();
  } catch (error) {
    if (thrown.length === 0) throw error;
    discardBody((error as Partial<AxiosError> | null | undefined)?.response?.data);
    throw thrown[0];
  } finally {
    Reflect.set(config, 'validateStatus', validateStatus);
  }
}
