// Run by itself, on any version of Node: its own fetch, and nothing of npm's undici.
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { HttpCircuitBreaker, installDispatcher, isCallNotPermitted } from '../src/index.ts';

const server = createServer(({ url }, response) => {
  if (url === '/closed') response.socket!.destroy();
  if (url === '/closed' || url === '/hang') return;
  response.writeHead(url === '/failing' ? 503 : 200, { 'x-path': url });
  if (url === '/half') response.write('half of a body');
  else response.end(url === '/large' ? 'x'.repeat(4_000_000) : 'body');
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const breaker = new HttpCircuitBreaker({ level: 'endpoint' });
const outcomes: string[] = [];
for (const type of ['success', 'failure', 'ignored', 'amended'] as const) {
  breaker.on(type, ({ status, kind }) => outcomes.push(`${type} ${kind ?? status}`));
}
const seen: Record<string, unknown> = {};
const messageOf = (error: Error): string => error.name;

const restore = installDispatcher(breaker, {
  fallbackOn: 'failure',
  fallback(cause, request) {
    if (request.url.endsWith('/refused') || request.url.endsWith('/closed')) throw cause;
    if (request.url.endsWith('/failing')) return cause as object;
    return { statusCode: 203, headers: { 'x-from': 'fallback' }, body: 'from the fallback' };
  },
});
seen['read'] = await (await fetch(`${url}/read`)).text();
seen['large'] = (await (await fetch(`${url}/large`)).text()).length;
const failing = await fetch(`${url}/failing`);
seen['left as it is'] = [failing.status, failing.headers.get('x-path'), await failing.text()];
seen['closed'] = await fetch(`${url}/closed`).catch(messageOf);
const deadline = { signal: AbortSignal.timeout(100) };
seen['deadline'] = await fetch(`${url}/hang`, deadline).catch(messageOf);
const half = await fetch(`${url}/half`);
await half.body!.cancel();
const controller = new AbortController();
const broken = await fetch(`${url}/half`, { signal: controller.signal });
controller.abort(Object.assign(new Error('mine'), { code: 'ECONNRESET' }));
await broken.text().catch(() => undefined);
seen['outcomes'] = [...outcomes];

breaker.control('*').forceOpen({ reason: 'test' });
const error: unknown = await fetch(`${url}/refused`).catch((thrown: unknown) => thrown);
seen['refused'] = [(error as Error).name, isCallNotPermitted(error)];
const answered = await fetch(`${url}/answered`);
seen['answered'] = [answered.status, answered.headers.get('x-from'), await answered.text()];
seen['socket'] = await new Promise((resolve) => {
  const socket = new WebSocket(url.replace('http', 'ws'));
  socket.addEventListener('error', () => resolve('refused'));
});
restore();
seen['restored'] = (await fetch(`${url}/read`)).status;
seen['dispatcher'] = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'))?.constructor
  .name;

console.log(JSON.stringify(seen));
server.close();
server.closeAllConnections();
