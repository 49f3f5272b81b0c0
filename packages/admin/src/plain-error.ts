import { cutText } from './cut-text.ts';

/** Anything can be thrown, and a getter of it may throw again. */
export function plainError(error: unknown): { readonly name: string; readonly message: string } {
  try {
    if (typeof error !== 'object' || error === null) {
      return { name: typeof error, message: cutText(String(error)) };
    }
    const { name, message } = error as { readonly name?: unknown; readonly message?: unknown };
    return { name: textOr('Error', name), message: textOr('', message) };
  } catch {
    return { name: 'Error', message: 'it can not be read' };
  }
}

function textOr(instead: string, text: unknown): string {
  return typeof text === 'string' ? cutText(text) : instead;
}
