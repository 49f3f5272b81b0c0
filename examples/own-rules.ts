import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clientErrorsIgnored, wrapFetch } from '@recloser/fetch';

const server = createServer((request, response) => {
  response.writeHead(request.url === '/login' ? 401 : 404).end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const guardedFetch = wrapFetch(fetch, {
  rules: [
    { name: 'search may find nothing', path: '/search/*', status: 404, outcome: 'success' },
    { name: 'our one API key is bad', status: 401, outcome: 'trip', domain: 'host' },
    ...clientErrorsIgnored,
  ],
});

for (const path of ['/search/books', '/missing', '/login', '/search/books']) {
  await guardedFetch(base + path).then(
    (response) => console.log(`${path}: status ${response.status}`),
    (error) => console.log(`${path}: ${error.code}, ${error.lastFailure?.status} came before`),
  );
}
server.close();
