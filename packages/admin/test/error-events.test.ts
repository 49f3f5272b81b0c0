import { HttpCircuitBreaker } from '@recloser/core';
import { describe, expect, test, vi } from 'vitest';
import { open, setUpAdmin } from './admin-setup.ts';

describe('a listener that throws', () => {
  test('is told of by the console, once and in the words of the breaker, and kept each time', async () => {
    const failing = (breaker: HttpCircuitBreaker): void => {
      breaker.on('stateTransition', () => {
        throw new Error('no');
      });
    };
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    const admin = setUpAdmin();
    const words = (host: string): unknown[] => [
      `recloser: a listener for 'stateTransition' threw (circuit breaker 'https://${host}'); ` +
        "listen to 'error' events to hear of it again",
      new Error('no'),
    ];
    failing(admin.breaker);

    for (const host of ['one.example.com', 'two.example.com']) open(admin, host);

    expect(printed.mock.calls).toEqual([words('one.example.com')]);
    const { events } = await admin.read<{ events: { type: string }[] }>('/api/events');
    expect(events.filter(({ type }) => type === 'error')).toHaveLength(2);

    // As without a handler.
    const bare = new HttpCircuitBreaker({
      level: 'host',
      hostBreaker: { consecutiveFailureThreshold: 1 },
    });
    failing(bare);
    bare.admit({ method: 'GET', origin: 'https://one.example.com', path: '/' }).responded(503);
    expect(printed.mock.calls[1]).toEqual(words('one.example.com'));
  });

  test('is kept also where its error cannot be shown', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {
      throw new Error('no console');
    });
    const admin = setUpAdmin();
    admin.breaker.on('stateTransition', () => {
      throw new Error('no');
    });

    open(admin, 'down.example.com');

    const { events } = await admin.read<{ events: { source?: string }[] }>('/api/events');
    expect(events.flatMap(({ source }) => source ?? [])).toEqual([
      "a listener for 'stateTransition'",
    ]);
  });
});
