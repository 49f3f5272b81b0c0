const HAS_SCHEME = /^[a-z][a-z\d+.-]*:/i;

/**
 * For adapters: the whole URL of one that may be relative, as it may in pages and in workers that
 * have a location.
 * @param elsewhere  what it is relative to where there is no page; by default it stays as it is
 * @throws TypeError for what is no URL
 */
export function absoluteUrl(url: string, elsewhere?: string): string {
  const { document, location } = globalThis as {
    document?: { readonly baseURI: string };
    location?: { readonly href: string };
  };
  const page = document?.baseURI ?? location?.href;
  // In a page at an http: URL even `http:/path` is relative.
  if (page !== undefined) return /^https?:\/\//i.test(url) ? url : new URL(url, page).href;
  return elsewhere === undefined || HAS_SCHEME.test(url) ? url : new URL(url, elsewhere).href;
}
