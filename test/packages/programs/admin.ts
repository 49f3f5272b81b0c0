import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdminHandler, toNodeHandler } from '@recloser/admin';
import type { Outage } from './until-refused.ts';
import { watchedOutage } from './watched-outage.ts';

export function outage(url: string): Promise<Outage> {
  return watchedOutage(url, (breaker) => {
    const handler = createAdminHandler(breaker, { authorize: () => true });
    return async () => {
      const server = createServer(toNodeHandler(handler)).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const page = await fetch(`http://127.0.0.1:${port}/`);
      const list = await fetch(`http://127.0.0.1:${port}/api/breakers`);
      const { breakers } = (await list.json()) as { breakers: { state: string }[] };
      const title = /<title>(.+?)</.exec(await page.text())?.[1];
      server.close();
      return `${title}: ${breakers.map(({ state }) => state).join()}`;
    };
  });
}
