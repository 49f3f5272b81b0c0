import type { BreakerList, BreakerView } from './breaker-views.ts';

const ofTime: readonly string[] = ['timeInState', 'lastOpenedAt', 'lastFailure', 'openedBy'];

/** Was no call counted between two lists? Time may have passed, and orders tell of themselves. */
export function isAlike(one: BreakerList, other: BreakerList): boolean {
  return (
    one.evictions === other.evictions &&
    one.overflows === other.overflows &&
    one.unguarded === other.unguarded &&
    one.breakers.length === other.breakers.length &&
    one.breakers.every((breaker, index) => isAlikeOne(breaker, other.breakers[index]!))
  );
}

function isAlikeOne(one: BreakerView, other: BreakerView): boolean {
  const names = Object.keys(one) as readonly (keyof BreakerView)[];
  return names.every((name) => one[name] === other[name] || ofTime.includes(name));
}
