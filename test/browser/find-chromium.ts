import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first `chromium` on PATH. */
export function findChromium(): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((directory) => join(directory, 'chromium'))
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
