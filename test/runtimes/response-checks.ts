import type { Check } from './check.ts';
import { guarded, success } from './guarded.ts';

export const responseChecks: readonly Check[] = [
  {
    name: 'a response passes as it is, and counts by its status',
    async run(room) {
      const { get, outcomes } = guarded();
      const seen: unknown[] = [];
      for (const status of [200, 404, 503, 204]) {
        const response = await get(room.url(String(status)));
        const { url, redirected, headers } = response;
        seen.push([response.status, await response.text(), headers.get('x-dependency')]);
        seen.push(response instanceof Response && url.startsWith(room.url('')) && !redirected);
      }
      return { seen, outcomes };
    },
    expected: {
      seen: [
        [200, 'this is 200', 'yes'],
        true,
        [404, 'this is 404', 'yes'],
        true,
        [503, 'this is 503', 'yes'],
        true,
        [204, '', 'yes'],
        true,
      ],
      outcomes: [
        'endpoint: success 200',
        'host: success 200',
        'endpoint: success 404',
        'host: success 404',
        'endpoint: failure 503',
        'host: failure 503',
        'endpoint: success 204',
        'host: success 204',
      ],
    },
  },
  {
    name: 'a URL, a Request and a body reach the server as they were given',
    async run(room) {
      const { get, outcomes } = guarded();
      const url = room.url('echo');
      const init = { method: 'POST', body: 'given' };
      const bodies: string[] = [];
      for (const input of [url, new URL(url)]) bodies.push(await (await get(input, init)).text());
      bodies.push(await (await get(new Request(url, init))).text());
      return { bodies, outcomes, sent: await room.sent() };
    },
    expected: {
      bodies: ['given', 'given', 'given'],
      outcomes: [...success, ...success, ...success],
      sent: 3,
    },
  },
  {
    name: 'a redirect is followed, and counts once, by the last status',
    async run(room) {
      const { get, outcomes } = guarded();
      const { status, redirected } = await get(room.url('redirect'));
      return { status, redirected, outcomes, sent: await room.sent() };
    },
    expected: { status: 200, redirected: true, outcomes: success, sent: 2 },
  },
];
