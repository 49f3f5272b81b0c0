// Loaded before a page's program: its connections to example.com go to the servers that stand for it.
import { Socket } from 'node:net';

const { EXAMPLE_HTTP_PORT, EXAMPLE_HTTPS_PORT } = process.env;

interface Target {
  readonly host?: string;
  readonly port?: number | string;
}

// Not yet bound: it is called with each socket below.
const connect = Reflect.get(Socket.prototype, 'connect') as Socket['connect'];
Socket.prototype.connect = function (this: Socket, ...parameters: unknown[]) {
  // Node's own clients hand over their arguments as one list.
  const list = Array.isArray(parameters[0]) ? (parameters[0] as unknown[]) : parameters;
  const target = list[0] as Target | undefined;
  if (typeof target === 'object' && target?.host?.endsWith('.example.com') === true) {
    const isRefused = target.host.startsWith('gone.');
    const port = Number(target.port) === 443 ? EXAMPLE_HTTPS_PORT : EXAMPLE_HTTP_PORT;
    list[0] = { ...target, host: '127.0.0.1', port: isRefused ? 1 : port };
  }
  return Reflect.apply(connect, this, parameters) as Socket;
} as typeof connect;
