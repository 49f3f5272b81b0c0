import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { nsPerCall, sync } from './measure.ts';
import { shown } from './table.ts';

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}

function commit(): string {
  try {
    const isChanged = git('status', '--porcelain', 'packages') !== '';
    return git('rev-parse', '--short', 'HEAD') + (isChanged ? ', with changes' : '');
  } catch {
    return 'unknown';
  }
}

/** Where and when the figures are taken; read before the run, for the load to be that of others. */
export async function environment(): Promise<string> {
  const now = await nsPerCall(sync(() => (performance.now() > 0 ? 1 : 0)));
  const processors = cpus();
  return [
    `${new Date().toISOString().slice(0, 10)}, commit ${commit()}`,
    `Node ${process.version}, ${process.platform} ${process.arch}`,
    `${processors[0]?.model.trim() ?? 'unknown CPU'}, ${processors.length} cores`,
    `load ${shown(loadavg()[0]!)} before the run`,
    `performance.now() takes ${shown(now)} ns`,
  ].join('; ');
}
