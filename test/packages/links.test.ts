import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { project } from './installed.ts';

const ours = join(project, 'node_modules/@recloser');

describe('where packages stand beside each other, as npm installs them', () => {
  const pages = globSync('*/{README.md,docs/**/*.md}', { cwd: ours }).toSorted();

  test.for(pages)('every link of %s to a file leads to one', (page) => {
    const folder = dirname(join(ours, page));
    const files = linksOf(readFileSync(join(ours, page), 'utf8'))
      .filter((link) => !/^(?:[a-z]+:|#)/.test(link))
      .map((link) => link.replace(/#.*/, ''));
    expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
  });
});

test('links are found in the text, and not in code', () => {
  const page = [
    '[one](./a.md) and [two, `code`](b.md#part "title"), ![three](c.svg)',
    '`[no](d.md)`',
    '[four]: e.md',
    '<a href="f.md"><img src="g.png"></a>',
    '',
    '    array[0](h.md)',
    '',
    '```js',
    'array[0](i.md)',
    '```',
  ].join('\n');
  expect(linksOf(page)).toEqual(['./a.md', 'b.md#part', 'c.svg', 'e.md', 'f.md', 'g.png']);
});

function linksOf(page: string): string[] {
  const text = page
    .replaceAll(/^(`{3,}).*\n[^]*?^\1/gm, '')
    .replaceAll(/^ {4}.*$/gm, '')
    .replaceAll(/`[^`\n]*`/g, '');
  const links = /\]\(<?([^\s)>]+)|^\[[^\]]+\]:\s*(\S+)|\b(?:href|src)="([^"]+)"/gm;
  return [...text.matchAll(links)].map(
    ([, inline, reference, html]) => inline ?? reference ?? html!,
  );
}
