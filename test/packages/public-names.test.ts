import { expect, test } from 'vitest';
import { project } from './installed.ts';
import { adapters, instruments } from './packages.ts';
import { publicNames, type PublicName } from './public-names.ts';
import { run } from './run.ts';

const ofAdapters = adapters.map((name) => `@recloser/${name}`);
const entries = [
  '@recloser/core',
  '@recloser/core/adapter',
  ...ofAdapters,
  ...instruments.map((name) => `@recloser/${name}`),
];
const names = publicNames(entries);
const core = names.get('@recloser/core')!;

test('the public names are those of the list', async () => {
  const list = entries.map((entry) => {
    const isAdapter = ofAdapters.includes(entry);
    const own = isAdapter ? ownOf(entry) : names.get(entry)!;
    return [
      entry,
      ...own.map(({ kind, name }) => `  ${kind} ${name}`),
      ...(isAdapter ? ['  everything of @recloser/core'] : []),
      '',
    ].join('\n');
  });
  await expect(list.join('\n')).toMatchFileSnapshot('public-names.txt');
});

test.for(ofAdapters)('%s exports everything of @recloser/core', (entry) => {
  expect(names.get(entry)).toEqual(expect.arrayContaining([...core]));
});

test.for(ofAdapters)('%s takes no name of @recloser/core for something else', (entry) => {
  const all = names.get(entry)!.map(({ name }) => name);
  expect(all.length).toBe(core.length + ownOf(entry).length);
});

test.for(entries)(
  'what %s exports when it is run are the names that are no types',
  async (entry) => {
    const script = `console.log(JSON.stringify(Object.keys(await import('${entry}'))))`;
    const printed = await run(process.execPath, ['--input-type=module', '-e', script], project);
    const values = names.get(entry)!.filter(({ kind }) => kind !== 'interface' && kind !== 'type');
    expect(JSON.parse(printed)).toEqual(values.map(({ name }) => name));
  },
);

/** What an entry exports that is not the core's. */
function ownOf(entry: string): readonly PublicName[] {
  const ofCore = new Set(core.map(({ name, file }) => `${file} ${name}`));
  return names.get(entry)!.filter(({ name, file }) => !ofCore.has(`${file} ${name}`));
}
