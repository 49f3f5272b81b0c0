import type { Options, Request } from 'got';
import type { FallbackMessage } from './fallback-message.ts';

/** What is used here of the promises that the versions of got give. */
export interface GotPromise<T = unknown> extends Promise<T> {
  json(): Promise<unknown>;
  text(): Promise<unknown>;
  buffer(): Promise<unknown>;
}

/**
 * The promise of a call that may be answered after its last attempt. Its shortcuts are made here:
 * those of got 15 and before parse what got itself received.
 * @param instead  the answer, or undefined where the call stays as it is
 * @param requestOf  got's own request, which its responses have
 */
export function answeredPromise(
  promise: GotPromise,
  instead: Promise<FallbackMessage | undefined>,
  requestOf: () => Request | undefined,
  options: Options,
): GotPromise {
  const response = async (): Promise<unknown> => {
    const message = await instead;
    if (message === undefined) return await promise;
    const body = parsed(message, options.responseType, options);
    return options.resolveBodyOnly ? body : responseOf(message, body, requestOf(), options);
  };
  const answered = response() as GotPromise;
  // It is for those who use only a shortcut: they are told there.
  answered.catch(() => {});
  for (const type of ['json', 'text', 'buffer'] as const) {
    answered[type] = () => {
      const own = promise[type]();
      const body = async (): Promise<unknown> => {
        const message = await instead;
        return message === undefined ? await own : parsed(message, type, options);
      };
      own.catch(() => {});
      return Object.defineProperties(body(), Object.getOwnPropertyDescriptors(own));
    };
  }
  return answered;
}

function parsed({ rawBody }: FallbackMessage, type: string, options: Options): unknown {
  if (type === 'buffer') return rawBody;
  const text = Buffer.from(rawBody).toString(options.encoding);
  return type === 'json' && text !== '' ? options.parseJson(text) : text;
}

function responseOf(
  message: FallbackMessage,
  body: unknown,
  request: Request | undefined,
  options: Options,
): FallbackMessage {
  const { requestUrl, redirectUrls, retryCount, timings } = request ?? ({} as Partial<Request>);
  const url = String(options.url);
  const ok = message.statusCode! >= 200 && message.statusCode! < 300;
  const rest = { isFromCache: false, ip: undefined, retryCount, timings };
  return Object.assign(message, { body, request, url, requestUrl, redirectUrls, ok, ...rest });
}
