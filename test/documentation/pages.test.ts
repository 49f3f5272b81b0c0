import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { HttpCircuitBreaker, type HttpCircuitBreakerOptions } from '@recloser/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BlockPrograms } from './block-programs.ts';
import { startExampleServers } from './example-servers.ts';
import { readPage } from './page.ts';
import { blocksIn, pages, root } from './pages.ts';

describe('a program on a page', () => {
  const programs = blocksIn('ts');
  const files = new BlockPrograms(programs.map(([, block]) => block));
  let servers: Awaited<ReturnType<typeof startExampleServers>>;

  beforeAll(async () => {
    servers = await startExampleServers();
  });
  afterAll(async () => {
    files[Symbol.dispose]();
    await servers[Symbol.asyncDispose]();
  });

  test('compiles, as all others do', async () => {
    expect(await files.compile()).toEqual({ exitCode: 0, output: '', errors: '' });
  });

  test.concurrent.each(programs)(
    '%s runs to its end, and prints what stands below it',
    async (_, block) => {
      const { exitCode, output, errors } = await files.run(block, servers.environment);

      expect({ exitCode, output, errors }).toEqual({
        exitCode: 0,
        output: block.output ?? '',
        errors: '',
      });
    },
  );
});

describe('a configuration on a page', () => {
  test.each(blocksIn('json'))('%s is one that a breaker takes', (_, { code }) => {
    const options = JSON.parse(code) as HttpCircuitBreakerOptions;

    expect(new HttpCircuitBreaker(options).snapshot().breakers).toEqual([]);
  });
});

describe('a command on a page', () => {
  const scripts = Object.keys(readJson('package.json')['scripts'] ?? {});
  const installed = Object.keys(
    readJson('test/documentation/package.json')['devDependencies'] ?? {},
  );

  const known: Readonly<Record<string, (name: string) => boolean>> = {
    'npm install': (name) => installed.includes(name),
    'npm run': (name) => scripts.includes(name),
    'npm test': () => false,
    'pnpm example': (name) => existsSync(join(root, 'examples', `${name}.ts`)),
  };

  test.each(blocksIn('sh'))('%s is one that there is', (_, { code }) => {
    for (const line of code.trim().split('\n')) {
      const [tool, command, ...names] = line.replace(/ {2,}.*$/, '').split(' ');
      const isKnown = known[`${tool} ${command}`];

      expect(isKnown, line).toBeDefined();
      expect(names.filter((name) => isKnown?.(name) !== true)).toEqual([]);
    }
  });
});

describe('a page', () => {
  test.each(pages.map((page) => [page.path, page] as const))(
    '%s has only code that a test runs',
    (_, page) => {
      const others = page.blocks.filter(
        ({ language }) => !['ts', 'sh', 'json', 'mermaid'].includes(language),
      );

      expect(others.map(({ line, code }) => `${line}: ${code}`)).toEqual([]);
    },
  );

  test.each(pages.map((page) => [page.path, page] as const))(
    '%s links only to what there is',
    (_, page) => {
      const dead = page.links.filter(({ url }) => !leadsSomewhere(page.path, url));

      expect(dead).toEqual([]);
    },
  );
});

function leadsSomewhere(from: string, url: string): boolean {
  if (/^[a-z]+:/.test(url)) return url.startsWith('https://');
  const [path = '', anchor] = url.split('#');
  const target = path === '' ? from : normalize(join(dirname(from), path));
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || readPage(root, target).anchors.has(anchor);
}

function readJson(file: string): Record<string, object> {
  return JSON.parse(readFileSync(join(root, file), 'utf8')) as Record<string, object>;
}
