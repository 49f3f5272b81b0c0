/**
 * Response headers as any client has them: anything with `get(name)` (a Headers object, a Map with
 * lower-case names, AxiosHeaders), or a plain object of names and values, where a list is a header
 * sent more than once.
 */
export type HeadersLike = { get(name: string): unknown } | { readonly [name: string]: unknown };

/**
 * The value of a header, whatever the case of its name; a header sent more than once is joined by
 * commas. Undefined where it is missing, and for anything that has no headers to read: this never
 * throws.
 */
export function headerValue(headers: unknown, name: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  try {
    const { get } = headers as { get?: unknown };
    if (typeof get === 'function') return asText(get.call(headers, name.toLowerCase()));
    return asText(propertyOf(headers as Record<string, unknown>, name.toLowerCase()));
  } catch {
    return undefined;
  }
}

function propertyOf(headers: Record<string, unknown>, lowerCaseName: string): unknown {
  if (Object.hasOwn(headers, lowerCaseName)) return headers[lowerCaseName];
  for (const key of Object.keys(headers)) {
    if (key.length === lowerCaseName.length && key.toLowerCase() === lowerCaseName) {
      return headers[key];
    }
  }
  return undefined;
}

function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (!Array.isArray(value)) return undefined;
  const texts = value.map(asText).filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.join(', ');
}
