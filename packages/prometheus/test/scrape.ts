import type { Registry, RegistryContentType } from 'prom-client';

/** The lines of a scrape, or those of one name; comments left out. */
export async function scrape(
  register: Registry<RegistryContentType>,
  name?: string,
): Promise<string[]> {
  const lines = (await register.metrics()).split('\n');
  return lines.filter(
    (line) => line !== '' && !line.startsWith('#') && (name === undefined || nameOf(line) === name),
  );
}

/** What is told at the end of a line. */
export async function valueOf(
  register: Registry<RegistryContentType>,
  name: string,
  label = '',
): Promise<number | undefined> {
  const lines = (await scrape(register, name)).filter((line) => line.includes(label));
  if (lines.length > 1) throw new Error(`${name} has ${lines.length} lines`);
  const [line] = lines;
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ') + 1));
}

/** The name of a line's metric, that of its bucket, sum or count for a histogram. */
export function nameOf(line: string): string {
  return line.split(/[{ ]/, 1)[0]!;
}
