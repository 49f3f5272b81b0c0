import { describe, expect, test } from 'vitest';
import { bundled, bundlers } from './bundlers.ts';
import { packages } from './packages.ts';

const names = Object.keys(bundlers) as (keyof typeof bundlers)[];

describe.for(names)('bundled by %s', (bundler) => {
  test('a program with a CircuitBreaker carries nothing of registry/ and http/', async () => {
    const { files } = await bundled(
      bundler,
      `import { CircuitBreaker } from '@recloser/core';
       console.log(new CircuitBreaker('one').state);`,
    );
    expect(files).toContain('core/dist/breaker/circuit-breaker.js');
    expect(roomsOf(files)).toEqual(['core/dist/breaker']);
  });

  test('one with a BreakerRegistry carries nothing of http/', async () => {
    const { files } = await bundled(
      bundler,
      `import { BreakerRegistry } from '@recloser/core';
       console.log(new BreakerRegistry());`,
    );
    expect(files).toContain('core/dist/registry/breaker-registry.js');
    expect(roomsOf(files)).toEqual(['core/dist/breaker', 'core/dist/registry']);
  });

  test('one with what stands beside the breakers carries none', async () => {
    const { files } = await bundled(
      bundler,
      `import { defineRules, isCallNotPermitted, ManualClock } from '@recloser/core';
       console.log(defineRules([]), isCallNotPermitted(undefined), new ManualClock());`,
    );
    expect(files).toContain('core/dist/http/outcome-rules.js');
    const machines =
      /state-machine|circuit-breaker|registry|window|permit|calls-in-flight|resolve-|options/;
    expect(files.filter((file) => machines.test(file))).toEqual([]);
  });

  test('one that takes the guard of refusals from an adapter carries nothing else', async () => {
    const { files } = await bundled(
      bundler,
      `import { isCallNotPermitted } from '@recloser/axios';
       console.log(isCallNotPermitted(undefined));`,
    );
    expect(files).toEqual(['core/dist/breaker/causes.js', 'core/dist/breaker/errors.js']);
  });

  test.for(packages)('one that imports %s and uses nothing carries nothing', async (name) => {
    const { files, code } = await bundled(
      bundler,
      `import '@recloser/${name}';
       import * as everything from '@recloser/${name}';
       console.log('nothing');`,
    );
    expect(files).toEqual([]);
    expect(code).not.toContain('import');
  });
});

function roomsOf(files: readonly string[]): string[] {
  const rooms = files.map((file) => file.slice(0, file.lastIndexOf('/')));
  return [...new Set(rooms)].toSorted();
}
