import { shown } from '../breaker/checks.ts';

/** Answers for a host's key (`https://api.example.com:8443`), or for a host by itself. */
export type HostMatcher = (host: string) => boolean;

/**
 * A host as people write it in rules and overrides: `api.example.com`, `*.example.com` (any number
 * of labels before it, but not `example.com` itself), `*` (any), each with a port where that is to
 * be one only. International names and IPv6 addresses may be in any of their forms. `option` is
 * what an error calls it.
 * @throws TypeError for what is no string, RangeError for a string that is no such pattern.
 */
export function hostPattern(pattern: unknown, option: string): HostMatcher {
  if (typeof pattern !== 'string') {
    throw new TypeError(
      `${option} must be a string like 'api.example.com', but is ${shown(pattern)}`,
    );
  }
  const [, wildcard = '', rest = '', port] = /^(\*\.|\*(?=:\d+$|$))?(.*?)(?::(\d+))?$/s.exec(
    pattern,
  )!;
  const name = rest === '' && wildcard === '*' ? '' : canonicalName(rest);
  if (name === undefined || (port !== undefined && Number(port) > 65_535)) {
    throw new RangeError(
      `${option} must be a host like 'api.example.com', '*.example.com' or 'api.example.com:8443', ` +
        `but is ${shown(pattern)}`,
    );
  }
  const wanted = port === undefined ? undefined : String(Number(port));
  return (host) => {
    const { hostname, port: actual } = partsOf(host);
    if (wanted !== undefined && wanted !== actual) return false;
    if (wildcard === '') return hostname === name;
    return wildcard === '*' || hostname.endsWith(`.${name}`);
  };
}

function canonicalName(text: string): string | undefined {
  if (text === '' || /[\s/?#@\\*]/.test(text)) return undefined;
  // A port was cut off before; a second one, or an empty one, is a slip.
  if (text.includes(':') && !/^\[[^\]]*\]$/.test(text)) return undefined;
  try {
    const url = new URL(`http://${text}`);
    return url.port === '' ? url.hostname : undefined;
  } catch {
    return undefined;
  }
}

function partsOf(host: string): { readonly hostname: string; readonly port: string | undefined } {
  const parts = /^(?:(https?):\/\/)?(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(host);
  const [, scheme, hostname = '', port] = parts ?? [];
  const usual = scheme === 'https' ? '443' : scheme === 'http' ? '80' : undefined;
  return { hostname, port: port ?? usual };
}
