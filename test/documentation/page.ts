import { readFileSync } from 'node:fs';
import Slugger from 'github-slugger';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';

export interface CodeBlock {
  readonly page: string;
  /** Where its fence stands, from 1. */
  readonly line: number;
  /** What the fence says; empty for an indented block. */
  readonly language: string;
  readonly code: string;
  /** What stands as ```text after it: its output. */
  readonly output: string | undefined;
}

export interface Page {
  /** From the root of the repository. */
  readonly path: string;
  readonly blocks: readonly CodeBlock[];
  readonly links: readonly { readonly line: number; readonly url: string }[];
  /** The headings, as a link names them. */
  readonly anchors: ReadonlySet<string>;
}

const written = /\b(?:href|src)="([^"]+)"/g;

/** A page of the documentation, with what a test asks of it. */
export function readPage(root: string, path: string): Page {
  const tree = fromMarkdown(readFileSync(`${root}/${path}`, 'utf8'));
  const slugger = new Slugger();
  const links: { line: number; url: string }[] = [];
  const anchors = new Set<string>();
  const blocks: CodeBlock[] = [];

  visit(tree, (node, index, parent) => {
    const line = node.position?.start.line ?? 0;
    if ('url' in node) links.push({ line, url: node.url });
    if (node.type === 'html') {
      for (const [, url = ''] of node.value.matchAll(written)) links.push({ line, url });
    }
    if (node.type === 'heading') anchors.add(slugger.slug(toString(node)));
    if (node.type !== 'code') return;
    const [before, after] = [
      parent?.children[(index ?? 0) - 1],
      parent?.children[(index ?? 0) + 1],
    ];
    // The output of a program is no block of its own.
    if (node.lang === 'text' && before?.type === 'code' && before.lang === 'ts') return;
    blocks.push({
      page: path,
      line,
      language: node.lang ?? '',
      code: `${node.value}\n`,
      output: after?.type === 'code' && after.lang === 'text' ? `${after.value}\n` : undefined,
    });
  });
  return { path, blocks, links, anchors };
}
