import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface Prometheus {
  readonly prometheus: string;
  readonly promtool: string;
}

/** The first `prometheus` and `promtool` on PATH; undefined where one of them is not there. */
export function findPrometheus(): Prometheus | undefined {
  const [prometheus, promtool] = [find('prometheus'), find('promtool')];
  if (prometheus === undefined || promtool === undefined) return undefined;
  return { prometheus, promtool };
}

function find(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((directory) => join(directory, name))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
