import { fileURLToPath } from 'node:url';

export const root: string = fileURLToPath(new URL('../..', import.meta.url));

/** The folders of the adapters in packages/, and their names behind `@recloser/`. */
export const adapters = ['fetch', 'axios', 'got', 'ky', 'undici'] as const;

export const packages = ['core', ...adapters] as const;
