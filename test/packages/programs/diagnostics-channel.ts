import { subscribe } from 'node:diagnostics_channel';
import { publishEvents, type PublishedEvent } from '@recloser/diagnostics-channel';
import type { Outage } from './until-refused.ts';
import { watchedOutage } from './watched-outage.ts';

export function outage(url: string): Promise<Outage> {
  return watchedOutage(url, (breaker) => {
    publishEvents(breaker);
    const heard: string[] = [];
    subscribe('recloser:stateTransition', (message) => {
      const { event } = message as PublishedEvent<'stateTransition'>;
      heard.push(`${event.from} to ${event.to}`);
    });
    return () => heard.join();
  });
}
