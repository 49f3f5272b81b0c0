import { globSync } from 'node:fs';
import { join } from 'node:path';
import { readPage, type CodeBlock, type Page } from './page.ts';

export const root: string = join(import.meta.dirname, '../..');

/** Every page that users read. */
export const pages: readonly Page[] = globSync(
  ['README.md', 'packages/*/README.md', 'packages/*/docs/*.md'],
  { cwd: root },
)
  .toSorted()
  .map((path) => readPage(root, path));

/** Their blocks of one language, by where they stand. */
export function blocksIn(language: string): (readonly [string, CodeBlock])[] {
  return pages
    .flatMap((page) => page.blocks)
    .filter((block) => block.language === language)
    .map((block) => [`${block.page}:${block.line}`, block] as const);
}
