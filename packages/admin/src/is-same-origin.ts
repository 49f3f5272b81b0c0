/**
 * Does a request come from a page of this very server, or from no page at all? Browsers say so in
 * `Sec-Fetch-Site` where the connection is a secure one, and else by `Origin`. What a proxy says in
 * `X-Forwarded-Host` anybody else may say, too: it is not read.
 */
export function isSameOrigin(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = request.headers.get('origin');
  if (origin === null) return true;
  const told = origin.toLowerCase();
  const host = (request.headers.get('host') ?? new URL(request.url).host).toLowerCase();
  const own = [`http://${host}`, `https://${host}`];
  // Some proxies add to Host the port that browsers leave out.
  return own.includes(told) || own.includes(`${told}:${told.startsWith('https:') ? 443 : 80}`);
}
