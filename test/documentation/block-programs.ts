import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { plainEnvironment } from '@recloser/test-support/plain-environment';
import type { CodeBlock } from './page.ts';

/** Only what hangs is to end by it: a slow machine is no reason to fail. */
const PATIENCE = 90_000;

/** Programs of a run's own, beside the packages and clients that they import. */
export class BlockPrograms implements Disposable {
  readonly #folder = mkdtempSync(join(import.meta.dirname, 'programs-'));

  constructor(blocks: readonly CodeBlock[]) {
    for (const block of blocks) {
      // Without an import or export at its top TypeScript takes a file for a script.
      writeFileSync(this.#fileOf(block), `${block.given}${block.code}export {};\n`);
    }
    const config = { extends: '../tsconfig.json', include: ['*.ts'], exclude: [] };
    writeFileSync(join(this.#folder, 'tsconfig.json'), JSON.stringify(config));
  }

  /** The complaints of the compiler about all of them. */
  async compile(): Promise<Ending> {
    return await run('tsc', ['--pretty', 'false', '-p', this.#folder], {});
  }

  /** Runs one as its reader would. */
  async run(block: CodeBlock, environment: Readonly<Record<string, string>>): Promise<Ending> {
    const preload = join(import.meta.dirname, 'reach-example-hosts.ts');
    const file = this.#fileOf(block);
    const parameters = ['--conditions=@recloser/source', '--import', preload, file];
    return await run(process.execPath, parameters, environment);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** `packages/core/docs/sizing.md`, line 12: `core-sizing-12.ts`. */
  #fileOf({ page, line }: CodeBlock): string {
    const [, name = 'front'] = page.split('/');
    return join(this.#folder, `${name}-${basename(page, '.md')}-${line}.ts`.toLowerCase());
  }
}

interface Ending {
  readonly exitCode: unknown;
  readonly output: string;
  readonly errors: string;
}

async function run(
  command: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ending> {
  const child = spawn(command, parameters, {
    cwd: import.meta.dirname,
    env: plainEnvironment(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE,
    killSignal: 'SIGKILL',
  });
  const [[exitCode, signal], output, errors] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { exitCode: exitCode ?? signal, output, errors };
}
