import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';
import { project } from './installed.ts';
import { peers } from './packages.ts';

interface Bundle {
  readonly code: string;
  /** The files of ours of which something is in it: `core/dist/index.js`. */
  readonly files: readonly string[];
}

type Bundler = (entry: string) => Promise<Bundle>;

const ours = join(project, 'node_modules/@recloser');
const external = [...Object.values(peers), /^node:/];

const byEsbuild: Bundler = async (entry) => {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    absWorkingDir: ours,
    bundle: true,
    external: external.map((name) => (typeof name === 'string' ? name : 'node:*')),
    format: 'esm',
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return { code: outputFiles[0]!.text, files: oursOf(used.map(([file]) => join(ours, file))) };
};

const byRolldown: Bundler = async (entry) => {
  await using bundle = await rolldown({ input: entry, external, logLevel: 'silent' });
  const { output } = await bundle.generate();
  const used = Object.entries(output[0].modules).filter(([, { code }]) => code);
  return { code: output[0].code, files: oursOf(used.map(([file]) => file)) };
};

export const bundlers = { esbuild: byEsbuild, rolldown: byRolldown };

/** What a bundler makes of a program that stands in the project. */
export async function bundled(bundler: keyof typeof bundlers, program: string): Promise<Bundle> {
  const entry = join(project, `bundle-${crypto.randomUUID()}.mjs`);
  await writeFile(entry, program);
  return bundlers[bundler](entry);
}

function oursOf(files: readonly string[]): string[] {
  return files
    .map((file) => relative(ours, file))
    .filter((file) => !file.startsWith('..'))
    .toSorted();
}
