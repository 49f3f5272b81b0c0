import { describe, expect, it } from 'vitest';
import { BreakerRegistry, type CircuitBreakerOptions } from '../../src/index.ts';

const removals: [what: string, remove: (registry: BreakerRegistry) => void][] = [
  ['deletes', (registry) => void registry.delete('own')],
  ['clears away', (registry) => registry.clear()],
];

/** A registry whose breakers ask a function that removes them, and all that it tells. */
function registryOf(
  remove: (registry: BreakerRegistry) => void,
  optionsFor: (remove: () => void) => CircuitBreakerOptions,
) {
  const registry: BreakerRegistry = new BreakerRegistry({
    breaker: optionsFor(() => remove(registry)),
  });
  const heard: string[] = [];
  for (const type of ['success', 'failure', 'breakerEvicted', 'error'] as const) {
    registry.on(type, (event) => heard.push(`${event.type} of ${event.breaker}`));
  }
  return { registry, breaker: registry.get('own')!, heard };
}

describe.each(removals)('a breaker that a function of its own %s', (_, remove) => {
  it('when asked about a result has told of the success by the end of the call', () => {
    const { registry, breaker, heard } = registryOf(remove, (removeIt) => ({
      transitionOnResult: () => {
        removeIt();
        return { openFor: 10 };
      },
    }));
    breaker.acquire().result('value');
    expect(heard).toEqual(['success of own', 'breakerEvicted of own']);
    expect(registry.size).toBe(0);
    registry.get('another');
    expect(heard).toHaveLength(2);
  });

  it('when asked about an error has told of the failure by the end of the call', async () => {
    const { breaker, heard } = registryOf(remove, (removeIt) => ({
      transitionOnResult: () => {
        removeIt();
        return undefined;
      },
    }));
    const call = breaker.execute(() => {
      throw new Error('busy');
    });
    await expect(call).rejects.toThrow('busy');
    expect(heard).toEqual(['failure of own', 'breakerEvicted of own']);
  });

  it('when asked for its wait has told of the failure by the end of the call', () => {
    const { registry, breaker, heard } = registryOf(remove, (removeIt) => ({
      waitDurationInOpenState: () => {
        removeIt();
        return 10;
      },
    }));
    breaker.acquire().trip(new Error('busy'));
    expect(heard).toEqual(['failure of own', 'breakerEvicted of own']);
    expect(registry.size).toBe(0);
    registry.get('another');
    expect(heard).toHaveLength(2);
  });

  it('when moved by hand has told of it by the end of the move', () => {
    const { breaker, heard } = registryOf(remove, (removeIt) => ({
      waitDurationInOpenState: () => {
        removeIt();
        return 10;
      },
    }));
    breaker.transitionToOpenState();
    expect(heard).toEqual(['breakerEvicted of own']);
  });
});
