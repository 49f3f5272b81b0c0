import { HalfBody, hang, startFullBacklog, startServer } from '@recloser/test-support/server';
import { describe } from 'vitest';
import { read, type Suite } from './suite.ts';

/** Endings for which a call has to wait: they wait together. */
export function testTimeouts(suite: Suite): void {
  describe.concurrent('a call that waits', () => {
    suite.testEnding('connect timeout', {
      needs: ['connect timeout'],
      start: startFullBacklog,
      end: (client, { url }) => read(client, { url, ...suite.limit('connect timeout', 50) }),
    });

    suite.testEnding('connect within the timeout', {
      needs: ['timeout'],
      start: startFullBacklog,
      end: (client, { url }) => read(client, { url, ...suite.limit('timeout', 50) }),
    });

    suite.testEnding('timeout before headers', {
      needs: ['timeout'],
      start: () => startServer(hang),
      end: (client, { url }) => read(client, { url, ...suite.limit('timeout', 50) }),
    });

    suite.testEnding('timeout in headers', {
      needs: ['timeout'],
      start: () => startServer(({ socket }) => socket.write('HTTP/1.1 200 OK\r\nx: ')),
      end: (client, { url }) => read(client, { url, ...suite.limit('timeout', 50) }),
    });

    suite.testEnding('timeout in the body', {
      needs: ['watched bodies', 'body timeout'],
      start: () => startServer(new HalfBody().answer),
      end: (client, { url }) => read(client, { url, ...suite.limit('body timeout', 1000) }),
    });
  });
}
