import { node22 } from '@recloser/test-support/node-22';
import { plainEnvironment } from '@recloser/test-support/plain-environment';
import { startServer, status } from '@recloser/test-support/server';
import { describe, expect, test } from 'vitest';
import { project } from './installed.ts';
import { packages, peers, type PackageName } from './packages.ts';
import { run } from './run.ts';

const nodes = [
  ['Node 24', process.execPath],
  ['Node 22', node22],
] as const;

/** What each program tells once calls are refused: the instruments of what they saw. */
const next: Readonly<Partial<Record<PackageName, unknown>>> = {
  core: 'dependency',
  telemetry: [
    ['failure', 3],
    ['open', 1],
  ],
  opentelemetry: [['open', 1]],
  prometheus: ['open', '1'],
  'diagnostics-channel': 'closed to open',
  admin: 'Circuit breakers: open',
};

test('npm finds nothing missing and nothing that does not fit in a project of all packages', async () => {
  await run('npm', ['ls', '--all'], project);
});

test.for(nodes)('%s is that', async ([name, node]) => {
  const version = await run(node, ['--version'], project);
  expect(version).toMatch(`v${name.slice('Node '.length)}.`);
});

test.for(packages)(
  'to import %s changes nothing in the program, and prints nothing',
  async (name) => {
    const script = `
    await import('undici'); // which Node has within, and loads by a look at its globals
    await import('${peers[name] ?? 'undici'}');
    const seen = () => [
      ...Reflect.ownKeys(globalThis).flatMap((key) => [key, globalThis[key]]),
      ...process.eventNames(),
      ...process.getActiveResourcesInfo(),
    ];
    const before = new Set(seen());
    await import('@recloser/${name}');
    console.log(JSON.stringify(seen().filter((each) => !before.has(each)).map(String)));`;
    const args = ['--input-type=module', '--eval', script];

    expect(await run(process.execPath, args, project, plainEnvironment())).toBe('[]\n');
  },
);

describe.concurrent.for(nodes)('on %s', ([, node]) => {
  test.for(packages)('%s can be imported, and refuses calls in an outage', async (name) => {
    await refusesInAnOutage(name, (url) => [
      '--input-type=module',
      '--eval',
      `import { outage } from './esm/${name}.js';
       console.log(JSON.stringify(await outage('${url}')));`,
    ]);
  });

  test.for(packages)('%s can be required, and refuses calls in an outage', async (name) => {
    await refusesInAnOutage(name, (url) => [
      '--input-type=commonjs',
      '--eval',
      `require('./cjs/${name}.js')
         .outage('${url}')
         .then((seen) => console.log(JSON.stringify(seen)));`,
    ]);
  });

  async function refusesInAnOutage(
    name: PackageName,
    args: (url: string) => readonly string[],
  ): Promise<void> {
    await using server = await startServer(status(503));

    const seen: unknown = JSON.parse(
      await run(node, args(server.url), project, plainEnvironment()),
    );

    expect(seen).toEqual({
      endings: [503, 503, 503, 'refused'],
      next: next[name] ?? 'ERR_CALL_NOT_PERMITTED GET',
    });
    expect(server.requests).toEqual(['GET /', 'GET /', 'GET /']);
  }
});
