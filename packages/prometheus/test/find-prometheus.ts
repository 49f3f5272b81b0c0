import { findExecutable } from '@recloser/test-support/find-executable';

export interface Prometheus {
  readonly prometheus: string;
  readonly promtool: string;
}

/** The first `prometheus` and `promtool` on PATH; undefined where one of them is not there. */
export function findPrometheus(): Prometheus | undefined {
  const [prometheus, promtool] = [findExecutable('prometheus'), findExecutable('promtool')];
  if (prometheus === undefined || promtool === undefined) return undefined;
  return { prometheus, promtool };
}
