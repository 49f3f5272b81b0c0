import { absoluteUrl } from '@recloser/core/adapter';
import { Axios, type AxiosRequestConfig } from 'axios';

// Early versions know nothing of it.
type Config = AxiosRequestConfig & { readonly allowAbsoluteUrls?: boolean };

let combining: Axios | undefined;

/** Where a request goes, without its `params`. Undefined where axios finds the URL to be none. */
export function requestUrl(config: Config): string | undefined {
  try {
    // Where there is no page it is for a `socketPath`, where axios takes the same host.
    return absoluteUrl(combined(config), 'http://localhost');
  } catch {
    return undefined;
  }
}

// By axios itself, since its versions differ in what they make of a URL that is absolute.
function combined({ url, baseURL, allowAbsoluteUrls }: Config): string {
  if (!baseURL) return String(url ?? '');
  combining ??= new Axios({});
  return combining.getUri({
    baseURL,
    ...(url !== undefined && { url }),
    ...(allowAbsoluteUrls !== undefined && { allowAbsoluteUrls }),
  });
}
