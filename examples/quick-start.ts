import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { wrapFetch } from '@recloser/fetch';

const server = createServer((_, response) => response.writeHead(503).end()).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/price`;

const guardedFetch = wrapFetch(fetch); // the one line

for (let call = 1; call <= 12; call++) {
  await guardedFetch(url).then(
    (response) => console.log(`call ${call}: status ${response.status}`),
    (error) => console.log(`call ${call}: ${error.code}`),
  );
}
server.close();
