/** A property of any value whatever, or undefined where it has none or a getter or proxy throws. */
export function propertyOf(value: unknown, key: PropertyKey): unknown {
  if (value === undefined || value === null) return undefined;
  try {
    return (value as Record<PropertyKey, unknown>)[key];
  } catch {
    return undefined;
  }
}

/** The property where it is a string that is not empty, cut at `most` characters. */
export function textOf(value: unknown, key: PropertyKey, most: number = 64): string | undefined {
  const text = propertyOf(value, key);
  return typeof text === 'string' && text !== '' ? text.slice(0, most) : undefined;
}
