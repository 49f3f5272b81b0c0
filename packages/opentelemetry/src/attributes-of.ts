import type { Attributes } from '@opentelemetry/api';

/** What tells one breaker from all others. */
export interface BreakerIdentity {
  readonly key: string;
  readonly name: string;
  readonly level: 'host' | 'endpoint' | undefined;
}

/** @param shared  what all breakers bear */
export function attributesOf(
  { key, name, level }: BreakerIdentity,
  shared: Readonly<Attributes>,
): Attributes {
  return { ...shared, 'circuit_breaker.key': key, ...groupOf({ key, name, level }, {}) };
}

/**
 * What a breaker has in common with others, in a number that the configuration bounds: the names of
 * overrides, and the levels.
 */
export function groupOf(
  { key, name, level }: BreakerIdentity,
  shared: Readonly<Attributes>,
): Attributes {
  const attributes: Attributes = { ...shared };
  if (name !== key) attributes['circuit_breaker.name'] = name;
  if (level !== undefined) attributes['circuit_breaker.level'] = level;
  return attributes;
}
