import { absoluteUrl } from '@recloser/core/adapter';
import type { Axios, AxiosRequestConfig } from 'axios';

// Early versions know nothing of it.
type Config = AxiosRequestConfig & { readonly allowAbsoluteUrls?: boolean };

/**
 * Where a request goes, without its `params`. Undefined where axios finds the URL to be none.
 * @param plain  an instance without defaults
 */
export function requestUrl(config: Config, plain: Pick<Axios, 'getUri'>): string | undefined {
  try {
    // Where there is no page it is for a `socketPath`, where axios takes the same host.
    return absoluteUrl(combined(config, plain), 'http://localhost');
  } catch {
    return undefined;
  }
}

// By axios itself, since its versions differ in what they make of a URL that is absolute.
function combined(
  { url, baseURL, allowAbsoluteUrls }: Config,
  plain: Pick<Axios, 'getUri'>,
): string {
  if (!baseURL) return String(url ?? '');
  return plain.getUri({
    baseURL,
    ...(url !== undefined && { url }),
    ...(allowAbsoluteUrls !== undefined && { allowAbsoluteUrls }),
  });
}
