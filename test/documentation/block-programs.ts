import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runToEnd, type Ending } from '@recloser/test-support/run-to-end';
import type { CodeBlock } from './page.ts';

const cwd = import.meta.dirname;

/** Programs of a run's own, beside the packages and clients that they import. */
export class BlockPrograms implements Disposable {
  readonly #folder = mkdtempSync(join(cwd, 'programs-'));

  constructor(blocks: readonly CodeBlock[]) {
    for (const block of blocks) {
      // Without an import or export at its top TypeScript takes a file for a script.
      writeFileSync(this.#fileOf(block), `${block.code}export {};\n`);
    }
    const config = { extends: '../tsconfig.json', include: ['*.ts'], exclude: [] };
    writeFileSync(join(this.#folder, 'tsconfig.json'), JSON.stringify(config));
  }

  /** The complaints of the compiler about all of them. */
  async compile(): Promise<Ending> {
    return await runToEnd('tsc', ['--pretty', 'false', '-p', this.#folder], { cwd });
  }

  /** Runs one as its reader would. */
  async run(block: CodeBlock, env: Readonly<Record<string, string>>): Promise<Ending> {
    const preload = join(cwd, 'reach-example-hosts.ts');
    const file = this.#fileOf(block);
    const parameters = ['--conditions=@recloser/source', '--import', preload, file];
    return await runToEnd(process.execPath, parameters, { cwd, env });
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
