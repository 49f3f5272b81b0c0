import { describe, expect, test } from 'vitest';
import { Dependency } from './dependency.ts';
import { guarded } from './guarded.ts';
import { aTurn, errorOf } from './promises.ts';
import { ways, type Way } from './ways.ts';

/** How a body ends of which only half is there. */
type End = 'cut' | 'deadline' | 'abort';

interface Ended {
  readonly error: unknown;
  readonly outcomes: readonly string[];
}

async function endBody(way: Way, answer: string, end: End, watchBody = false): Promise<Ended> {
  const dependency = new Dependency();
  const { call, outcomes } = guarded(way, { watchBody });
  const controller = new AbortController();
  const called = call(dependency.url(answer), { signal: controller.signal });
  const ending = errorOf(called.then((reply) => reply.text()));
  await (way.streams ? called : dependency.arrivals(1));
  if (end === 'cut') await dependency.cut();
  else if (end === 'abort') controller.abort();
  else controller.abort(new DOMException('as AbortSignal.timeout says it', 'TimeoutError'));
  const error = await ending;
  await aTurn();
  return { error, outcomes };
}

const answers = ['half', 'half-chunked'];
const streaming = ways.filter(({ streams }) => streams);
const whole = ways.filter(({ streams }) => !streams);

describe.for(answers)('a body that does not end, %s', (answer) => {
  describe.for(streaming)('by $name', (way) => {
    test('is not looked at when it is cut: the headers counted', async () => {
      const { error, outcomes } = await endBody(way, answer, 'cut');

      expect(error).toMatchObject({ name: 'TypeError' });
      expect(outcomes).toEqual(['success 200']);
    });

    test('amends the record when it is cut, where it is watched', async () => {
      const { error, outcomes } = await endBody(way, answer, 'cut', true);

      expect(error).toMatchObject({ name: 'TypeError' });
      expect(outcomes).toEqual(['success 200', 'amended network']);
    });

    test('amends the record at a deadline, where it is watched', async () => {
      const { error, outcomes } = await endBody(way, answer, 'deadline', true);

      expect(error).toMatchObject(way.errors.deadline);
      expect(outcomes).toEqual(['success 200', 'amended deadline']);
    });

    test('amends nothing when the caller leaves it, where it is watched', async () => {
      const { error, outcomes } = await endBody(way, answer, 'abort', true);

      expect(error).toMatchObject(way.errors.abort);
      expect(outcomes).toEqual(['success 200']);
    });
  });

  describe.for(whole)('by $name', (way) => {
    test.for([
      ['cut', 'network', 'failure network'],
      ['deadline', 'deadline', 'failure deadline'],
      ['abort', 'abort', 'ignored cancel'],
    ] as const)('is a part of the call that ends by %s', async ([end, shown, outcome]) => {
      const { error, outcomes } = await endBody(way, answer, end);

      expect(error).toMatchObject(way.errors[shown]);
      expect(outcomes).toEqual([outcome]);
    });
  });
});
