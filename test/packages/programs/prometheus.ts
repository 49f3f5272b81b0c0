import { collectMetrics } from '@recloser/prometheus';
import { Registry } from 'prom-client';
import type { Outage } from './until-refused.ts';
import { watchedOutage } from './watched-outage.ts';

export function outage(url: string): Promise<Outage> {
  return watchedOutage(url, (breaker) => {
    const registry = new Registry();
    collectMetrics(breaker, { register: registry });
    const refused = /^circuit_breaker_refused_calls_total\{reason="(.+?)".*\} (\d+)$/m;
    return async () => refused.exec(await registry.metrics())?.slice(1);
  });
}
