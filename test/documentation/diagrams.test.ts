// @vitest-environment jsdom
// mermaid cleans what it reads with a library that needs a document.
import mermaid from 'mermaid';
import { describe, expect, test } from 'vitest';
import { blocksIn } from './pages.ts';

describe('a diagram on a page', () => {
  test.each(blocksIn('mermaid'))('%s can be drawn', async (_, { code }) => {
    expect((await mermaid.parse(code)).diagramType).not.toBe('');
  });
});
