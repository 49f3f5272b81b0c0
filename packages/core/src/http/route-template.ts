import { shown } from '../breaker/checks.ts';
import { canonicalPath } from './path-text.ts';

/** Stands for one segment, whatever is in it. */
const ANY_SEGMENT = undefined;

/**
 * A route as people write it, `/users/:id` or `/files/*`, to be held against canonical paths.
 * `:name` is one segment that is not empty; `*` at the end is one segment or more (after the root,
 * none too), elsewhere exactly one. All else is taken literally, in its case.
 */
export class RouteTemplate {
  /** The template in its canonical form: what a key shows. */
  readonly text: string;
  readonly #parts: readonly (string | typeof ANY_SEGMENT)[];
  readonly #open: boolean;

  /**
   * `option` is what an error calls the template.
   * @throws TypeError for what is no string, RangeError for a string that is no template.
   */
  constructor(template: unknown, option: string) {
    checkTemplate(template, option);
    this.text = canonicalPath(template);
    const segments = this.text.slice(1).split('/');
    this.#open = segments.at(-1) === '*';
    if (this.#open) segments.pop();
    const parts: (string | typeof ANY_SEGMENT)[] = [];
    let literal = '/';
    segments.forEach((segment, index) => {
      const slash = this.#open || index < segments.length - 1 ? '/' : '';
      if (segment === '*' || segment.startsWith(':')) {
        parts.push(literal, ANY_SEGMENT);
        literal = slash;
      } else {
        literal += segment + slash;
      }
    });
    if (literal !== '') parts.push(literal);
    this.#parts = parts;
  }

  matches(path: string): boolean {
    let at = 0;
    for (const part of this.#parts) {
      if (part === ANY_SEGMENT) {
        const slash = path.indexOf('/', at);
        const end = slash === -1 ? path.length : slash;
        if (end === at) return false;
        at = end;
      } else if (path.startsWith(part, at)) {
        at += part.length;
      } else {
        return false;
      }
    }
    return this.#open || at === path.length;
  }
}

function checkTemplate(template: unknown, option: string): asserts template is string {
  if (typeof template !== 'string') {
    throw new TypeError(`${option} must be a string like '/users/:id', but is ${shown(template)}`);
  }
  const fault = template.startsWith('/') ? faultOf(template) : "must begin with '/'";
  if (fault !== undefined) throw new RangeError(`${option} ${fault}, but is ${shown(template)}`);
}

function faultOf(template: string): string | undefined {
  if (/[?#]/.test(template)) return 'must have no query and no fragment';
  for (const segment of template.split('/')) {
    if (segment.includes('*') && segment !== '*') return "must have '*' only as a whole segment";
    if (segment.startsWith(':') && !/^:[a-z_]\w*$/i.test(segment)) {
      return `must have only a name after ':' in a segment`;
    }
    if (/[{}]/.test(segment)) return "must have ':id' where others write '{id}'";
  }
  return undefined;
}
