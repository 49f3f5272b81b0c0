import { fileURLToPath } from 'node:url';

export const root: string = fileURLToPath(new URL('../..', import.meta.url));

/** The folders of the adapters in packages/, and their names behind `@recloser/`. */
export const adapters = ['fetch', 'axios', 'got', 'ky', 'undici'] as const;

/** Those of the packages by which breakers are seen and steered. */
export const instruments = [
  'telemetry',
  'opentelemetry',
  'prometheus',
  'diagnostics-channel',
  'admin',
] as const;

export const packages = ['core', ...adapters, ...instruments] as const;

export type PackageName = (typeof packages)[number];

/** What their users install beside them: the peer of each that has one. */
export const peers: Readonly<Partial<Record<PackageName, string>>> = {
  axios: 'axios',
  got: 'got',
  ky: 'ky',
  undici: 'undici',
  opentelemetry: '@opentelemetry/api',
  prometheus: 'prom-client',
};
