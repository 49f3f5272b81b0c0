import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer, type Answer } from '@recloser/test-support/server';
import { generate } from 'selfsigned';

// What the hosts of the pages do, by their first name. All others answer well.
const answers: Readonly<Record<string, Answer>> = {
  down: (_, response) => void response.writeHead(503).end(),
  busy: (_, response) => void response.writeHead(429, { 'retry-after': '120' }).end(),
  hanging: () => {},
};

const well: Answer = ({ method, url = '' }, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ method, path: url, price: 4200 }));
};

/** Stands for every `*.example.com` of the pages, for `await using`. */
export async function startExampleServers(): Promise<
  AsyncDisposable & { readonly environment: Readonly<Record<string, string>> }
> {
  const answer: Answer = (request, response) => {
    const [name = ''] = (request.headers.host ?? '').split('.');
    (answers[name] ?? well)(request, response);
  };
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'example.com' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: '*.example.com' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  const folder = mkdtempSync(join(tmpdir(), 'recloser-pages-'));
  const certificate = join(folder, 'example.pem');
  writeFileSync(certificate, cert);
  const http = await startServer(answer);
  const https = await startServer(answer, { tls: { key, cert } });
  return {
    environment: {
      NODE_EXTRA_CA_CERTS: certificate,
      EXAMPLE_HTTP_PORT: new URL(http.url).port,
      EXAMPLE_HTTPS_PORT: new URL(https.url).port,
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([http[Symbol.asyncDispose](), https[Symbol.asyncDispose]()]);
      rmSync(folder, { recursive: true });
    },
  };
}
