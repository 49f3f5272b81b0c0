import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first program of that name on PATH; undefined where there is none. */
export function findExecutable(name: string): string | undefined {
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
