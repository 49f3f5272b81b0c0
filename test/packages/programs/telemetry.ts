import { CallStatistics, type BreakerSeries } from '@recloser/telemetry';
import type { Outage } from './until-refused.ts';
import { watchedOutage } from './watched-outage.ts';

export function outage(url: string): Promise<Outage> {
  return watchedOutage(url, (breaker) => {
    const statistics = new CallStatistics(breaker);
    return () => {
      const [series] = [...statistics.series] as [BreakerSeries];
      return [...series.calls.map(({ outcome, count }) => [outcome, count]), ...series.refused];
    };
  });
}
