import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { plainEnvironment } from '../test/support/plain-environment.ts';

const file = fileURLToPath(new URL('operations.ts', import.meta.url));
const command = ['--conditions=@recloser/source', file];

test('goes on with the page and the metrics to look at, until Ctrl-C', async () => {
  const child = spawn(process.execPath, [...command, 'live'], {
    env: plainEnvironment({ PORT: '0' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  try {
    const urls: string[] = [];
    for await (const line of createInterface(child.stdout)) {
      urls.push(...(line.match(/http:\S+/) ?? []));
      if (urls.length === 2) break;
    }
    const [page, metrics] = urls as [string, string];

    const answer = await fetch(page);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect((await fetch(page.replace('127.0.0.1', 'localhost'))).status).toBe(200);
    expect(await (await fetch(metrics)).text()).toContain('\ncircuit_breaker_breakers ');
  } finally {
    child.kill('SIGINT');
  }
  expect(await exit).toEqual([null, 'SIGINT']);
});

test.each([
  [['Live'], '0', "operations: 'Live' is not known; known is 'live'\n"],
  [['live'], '99999', /^operations: PORT is 99999: RangeError.*\n$/],
])('says what is wrong with the argument %o, or the port %s', (args, port, message) => {
  const { status, stderr } = spawnSync(process.execPath, [...command, ...args], {
    encoding: 'utf8',
    env: plainEnvironment({ PORT: port }),
  });

  expect(stderr).toMatch(message);
  expect(status).toBe(1);
});
