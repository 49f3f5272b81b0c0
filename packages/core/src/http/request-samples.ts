import { hostPattern } from './host-pattern.ts';
import type { OutcomeRow } from './outcome-row.ts';
import { listOf } from './row-conditions.ts';
import { RouteTemplate } from './route-template.ts';

/**
 * Some of the requests that a row speaks of: one method, one pattern of hosts and one of paths, each
 * of these two by samples so chosen that a pattern that matches them all matches all that the first
 * one does.
 */
export interface RequestSamples {
  /** Undefined for any. */
  readonly method: string | undefined;
  readonly hosts: readonly string[];
  readonly paths: readonly string[];
}

/** What no rule names. */
const TOKENS = ['~sample-1', '~sample-2'] as const;

/** Every combination of the methods, hosts and paths of a row. */
export function requestsOf({ method, host, path }: OutcomeRow): RequestSamples[] {
  const methods = method === undefined ? [undefined] : listOf(method);
  const hosts = host === undefined ? [hostSamples('*')] : listOf(host).map(hostSamples);
  const paths = path === undefined ? [pathSamples('/*')] : listOf(path).map(pathSamples);
  return methods.flatMap((one) =>
    hosts.flatMap((some) =>
      paths.map((others) => ({ method: one?.toUpperCase(), hosts: some, paths: others })),
    ),
  );
}

export function takesRequest(row: OutcomeRow, { method, hosts, paths }: RequestSamples): boolean {
  return (
    (row.method === undefined || listOf(row.method).some((own) => own.toUpperCase() === method)) &&
    (row.host === undefined ||
      listOf(row.host).some((own) => hosts.every(hostPattern(own, 'host')))) &&
    (row.path === undefined || listOf(row.path).some((own) => takesPaths(own, paths)))
  );
}

function takesPaths(path: string, paths: readonly string[]): boolean {
  const template = new RouteTemplate(path, 'path');
  return paths.every((sample) => template.matches(sample));
}

function hostSamples(pattern: string): readonly string[] {
  const port = /:(\d+)$/.exec(pattern)?.[1];
  const name = port === undefined ? pattern : pattern.slice(0, -port.length - 1);
  const names =
    name === '*'
      ? ['sample-1.invalid', 'sample-2.test']
      : name.startsWith('*.')
        ? ['sample-1', 'sample-2'].map((label) => `${label}.${hostname(name.slice(2))}`)
        : [hostname(name)];
  const ports = port === undefined ? ['1', '2'] : [String(Number(port))];
  return names.flatMap((one) => ports.map((other) => `http://${one}:${other}`));
}

function hostname(name: string): string {
  return new URL(`http://${name}`).hostname;
}

function pathSamples(template: string): readonly string[] {
  const segments = new RouteTemplate(template, 'path').text.slice(1).split('/');
  const isOpen = segments.at(-1) === '*';
  if (isOpen) segments.pop();
  const samples = TOKENS.map((token) =>
    segments.map((segment) => (/^(?:\*$|:)/.test(segment) ? token : segment)),
  );
  if (!isOpen) return samples.map((sample) => `/${sample.join('/')}`);
  // One segment more, or several; after the root, none too.
  const open = samples.flatMap((sample, index) => [
    `/${[...sample, TOKENS[index]!].join('/')}`,
    `/${[...sample, TOKENS[index]!, TOKENS[index]!].join('/')}`,
  ]);
  return segments.length === 0 ? ['/', ...open] : open;
}
