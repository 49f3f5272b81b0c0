import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './pages.ts';

/** The text of a page in packages/core/docs. */
export function docText(name: string): string {
  return readFileSync(join(root, `packages/core/docs/${name}.md`), 'utf8');
}

/**
 * The cells of the first table whose heading begins with this text, row by row, without the
 * heading.
 */
export function tableOf(name: string, heading: string): string[][] {
  const lines = docText(name).split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${heading}`));
  if (start < 0) throw new TypeError(`${name}.md has no table that begins with ${heading}`);
  const end = lines.findIndex((line, at) => at > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  );
}

/** What stands in backticks in a cell. */
export function codesIn(cell: string = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** What stands in backticks in the first cells of a table. */
export function firstCodes(name: string, heading: string): string[] {
  return tableOf(name, heading).flatMap(([cell]) => codesIn(cell));
}
