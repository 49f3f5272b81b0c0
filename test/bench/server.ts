// Answers every request on a keep-alive connection with the same 200 bytes, knowing no more of HTTP
// than where a request without a body ends: it is not to be what a client waits for.

import { createServer, type AddressInfo } from 'node:net';

const body = 'x'.repeat(200);
const response = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
);
const END = '\r\n\r\n';

const server = createServer({ noDelay: true }, (socket) => {
  let rest = '';
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    const requests = (rest + chunk.toString('latin1')).split(END);
    rest = requests.pop()!;
    for (let index = 0; index < requests.length; index++) socket.write(response);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send!((server.address() as AddressInfo).port);
});
process.on('disconnect', () => process.exit());
