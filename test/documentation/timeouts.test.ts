import { readFileSync } from 'node:fs';
import { errorKinds, explainOutcome, httpDefaults, type ErrorKind } from '@recloser/core';
import { describe, expect, test } from 'vitest';

const page = readFileSync(new URL('../../packages/core/docs/timeouts.md', import.meta.url), 'utf8');

describe('the page on timeouts', () => {
  const table = /^\| client [^]*?\n\n/m.exec(page)?.[0] ?? '';
  const kinds = [...table.matchAll(/`([a-z-]+)`/g)].flatMap(([, word]) =>
    errorKinds.filter((kind) => kind === word),
  );

  test('names each kind of timeout', () => {
    const all = errorKinds.filter((kind) => kind.endsWith('timeout') || kind === 'deadline');

    expect(new Set(kinds)).toEqual(new Set([...all, 'body']));
  });

  test.each([...new Set<ErrorKind>(kinds)])('calls a %s a failure, as the rules do', (kind) => {
    const domain = kind === 'connect-timeout' ? 'host' : 'endpoint';

    expect(explainOutcome([], { error: kind })).toMatchObject({ outcome: 'failure', domain });
  });

  test.each([
    `The defaults, ${httpDefaults.slowCallDurationThreshold! / 1000} s and ${httpDefaults.slowCallRateThreshold} %`,
    `\`permitLease\` (${httpDefaults.permitLease! / 60_000} minutes over HTTP`,
  ])('says “%s”, as it is', (words) => {
    expect(page).toContain(words);
  });
});
