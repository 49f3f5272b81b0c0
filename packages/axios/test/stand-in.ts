import { AxiosError, type AxiosAdapter, type AxiosResponse } from 'axios';

/** An adapter that answers as axios's own do, without a server; each status in turn, the last again. */
export function answering(...statuses: readonly number[]): AxiosAdapter & { calls: number } {
  const adapter = async (config: Parameters<AxiosAdapter>[0]): Promise<AxiosResponse> => {
    const status = statuses[Math.min(adapter.calls++, statuses.length - 1)]!;
    const response = { status, statusText: '', headers: {}, data: `body of ${status}`, config };
    if (!config.validateStatus || config.validateStatus(status)) return response;
    const message = `Request failed with status code ${status}`;
    const code = status < 500 ? AxiosError.ERR_BAD_REQUEST : AxiosError.ERR_BAD_RESPONSE;
    throw new AxiosError(message, code, config, undefined, response);
  };
  adapter.calls = 0;
  return adapter;
}

export async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}
