import { shown } from '../breaker/checks.ts';
import { isToken } from './http-token.ts';
import { canonicalPath, canonicalPathname } from './path-text.ts';
import { foldPath } from './route-folding.ts';
import { RouteTemplate } from './route-template.ts';
import { authorityEnd, detached, isHttp, pathEnd, withoutLastSpace } from './url-text.ts';

/**
 * A request as an adapter sees it: an origin with a path (a query in it is left out), or a whole
 * URL.
 */
export type RequestLike = (
  | { readonly method: string; readonly origin: UrlLike; readonly path: string }
  | { readonly method: string; readonly url: UrlLike }
) & {
  /**
   * The client's own request, for a `partition` or `key` function; what it is the adapter says: for
   * fetch its arguments, `{ input, init }`.
   */
  readonly original?: unknown;
};

type UrlLike = string | { readonly href: string };

/**
 * What a request is known by. Nothing in it but `path` depends on more than a bounded part of the
 * URL.
 */
export interface RequestKey {
  /** In upper case. */
  readonly method: string;
  /** The host's key: `https://api.example.com`, with a port where it is not the scheme's own. */
  readonly host: string;
  /** The canonical path, without query and fragment, as templates are held against it. */
  readonly path: string;
  /** The declared template that matches first, else the path with its ids folded: `/users/:id`. */
  readonly route: string;
  /** The endpoint's key: `GET https://api.example.com/users/:id`. */
  readonly endpoint: string;
}

/** How many origins and paths are remembered, and how long the longest of them may be. */
const MAX_ORIGINS = 512;
const MAX_PATHS = 2048;
const MAX_ORIGIN_LENGTH = 320;
const MAX_PATH_LENGTH = 512;
/**
 * No name of a host is longer, so a request to one can't be sent. Scheme and port are counted with
 * it.
 */
const MAX_HOST_LENGTH = 270;
const MAX_METHOD_LENGTH = 32;
const MAX_METHODS_PER_PATH = 8;

const SLASH = 47;

/** One path of one host, with the keys of the methods seen on it. */
interface Place {
  readonly path: string;
  readonly route: string;
  keys: readonly RequestKey[];
}

const NO_KEYS: readonly RequestKey[] = [];

/** A whole URL, seen before. */
interface Address {
  readonly host: string;
  readonly place: Place;
}

interface Origin {
  /** Undefined for an origin that no request can be sent to. */
  readonly host: string | undefined;
  /** The text is an origin and nothing else, so that what follows it is the path. */
  readonly isBare: boolean;
  readonly places: Map<string, Place>;
}

/**
 * Derives the keys of requests: pure but for bounded memos, which are dropped whole when they are
 * full. A key that was seen lately is the same object again.
 */
export class RequestKeys {
  readonly #templates: readonly RouteTemplate[];
  #origins = new Map<string, Origin>();
  #addresses = new Map<string, Address>();
  #places = 0;

  /** @throws TypeError or RangeError that names the template in `endpoints` that is none. */
  constructor({ endpoints = [] }: { readonly endpoints?: readonly string[] | undefined } = {}) {
    if (!Array.isArray(endpoints)) {
      throw new TypeError(`endpoints must be a list of templates, but is ${shown(endpoints)}`);
    }
    this.#templates = Array.from(
      endpoints as readonly unknown[],
      (template, index) => new RouteTemplate(template, `endpoints[${index}]`),
    );
  }

  /**
   * Undefined for what can't be sent over HTTP: a URL that can't be parsed or is relative, another
   * scheme than http and https, a method that is no token. Such a request is left to the client, to
   * fail by itself. Never throws.
   */
  resolve(request: RequestLike): RequestKey | undefined {
    try {
      if ('url' in request) return this.#ofUrl(request.method, textOf(request.url));
      return this.#ofOrigin(request.method, textOf(request.origin), request.path);
    } catch {
      return undefined;
    }
  }

  #ofUrl(method: string, text: string): RequestKey | undefined {
    // What has a query, or is asked for once, is hardly ever asked for again.
    const known = text.includes('?') ? undefined : this.#addresses.get(text);
    if (known !== undefined) return keyOf(method, known.host, known.place);
    const url = withoutLastSpace(text);
    const slash = authorityEnd(url);
    if (slash > 0) {
      // With its slash, since the parser would strip white space at the end.
      const { host, isBare, places } = this.#origin(url.slice(0, slash + 1));
      if (isBare && host !== undefined) {
        const end = pathEnd(url, slash);
        const path = url.slice(slash, end);
        const place = places.get(path);
        if (place === undefined) return keyOf(method, host, this.#newPlace(places, path));
        if (end === text.length) this.#rememberAddress(text, { host, place });
        return keyOf(method, host, place);
      }
    }
    const { protocol, origin, pathname } = new URL(url);
    const host = isHttp(protocol) ? this.#origin(origin).host : undefined;
    if (host === undefined) return undefined;
    return keyOf(method, host, this.#place(canonicalPathname(pathname)));
  }

  #ofOrigin(method: string, origin: string, path: string): RequestKey | undefined {
    // What is asked of a proxy: the path is a whole URL.
    if (path.charCodeAt(0) !== SLASH && /^https?:/i.test(path)) return this.#ofUrl(method, path);
    const { host, places } = this.#origin(origin);
    if (host === undefined) return undefined;
    const ownPath = path.slice(0, pathEnd(path, 0));
    return keyOf(method, host, places.get(ownPath) ?? this.#newPlace(places, ownPath));
  }

  #origin(text: string): Origin {
    const known = this.#origins.get(text);
    if (known !== undefined) return known;
    const origin = parseOrigin(text);
    if (text.length <= MAX_ORIGIN_LENGTH) {
      if (this.#origins.size >= MAX_ORIGINS) this.#forget();
      this.#origins.set(detached(text), origin);
    }
    return origin;
  }

  #newPlace(places: Map<string, Place>, path: string): Place {
    if (path.length > MAX_PATH_LENGTH) return this.#place(canonicalPath(path));
    const own = detached(path);
    const place = this.#place(canonicalPath(own));
    if (this.#places >= MAX_PATHS) this.#forget();
    this.#places++;
    places.set(own, place);
    return place;
  }

  #rememberAddress(text: string, address: Address): void {
    if (text.length > MAX_ORIGIN_LENGTH + MAX_PATH_LENGTH) return;
    if (this.#addresses.size >= MAX_PATHS) this.#addresses = new Map();
    this.#addresses.set(detached(text), address);
  }

  #place(path: string): Place {
    const template = this.#templates.find((candidate) => candidate.matches(path));
    return { path, route: template?.text ?? foldPath(path), keys: NO_KEYS };
  }

  #forget(): void {
    this.#origins = new Map();
    this.#addresses = new Map();
    this.#places = 0;
  }
}

function keyOf(method: string, host: string, place: Place): RequestKey | undefined {
  for (const key of place.keys) if (key.method === method) return key;
  if (!isToken(method)) return undefined;
  const short = method.toUpperCase().slice(0, MAX_METHOD_LENGTH);
  const known = place.keys.find((key) => key.method === short);
  if (known !== undefined) return known;
  const { path, route } = place;
  const key = { method: short, host, path, route, endpoint: `${short} ${host}${route}` };
  if (place.keys.length < MAX_METHODS_PER_PATH) place.keys = [...place.keys, key];
  return key;
}

function parseOrigin(text: string): Origin {
  try {
    const { protocol, origin, pathname } = new URL(text);
    if (isHttp(protocol) && origin.length <= MAX_HOST_LENGTH) {
      const isBare = pathname === '/' && !text.includes('\\');
      return { host: detached(origin), isBare, places: new Map() };
    }
  } catch {
    // Not a URL: a client will say so.
  }
  return { host: undefined, isBare: false, places: new Map() };
}

function textOf(url: UrlLike): string {
  return typeof url === 'string' ? url : url.href;
}
