import { describe } from 'vitest';
import type { Driver } from './contract.ts';
import { testAborts } from './aborts.ts';
import { testBodies } from './bodies.ts';
import { testConnections } from './connections.ts';
import { testFallbacks } from './fallbacks.ts';
import { testHooks } from './hooks.ts';
import { testHttp2 } from './http2.ts';
import { testOutage } from './outage.ts';
import { testResponses } from './responses.ts';
import { testRetries } from './retries.ts';
import { testSharing } from './sharing.ts';
import { Suite } from './suite.ts';
import { testTimeouts } from './timeouts.ts';

/**
 * What every adapter has to keep, asserted through its client against real servers. A driver's file
 * is one call for each way in which the client is used:
 *
 *     testAdapter({
 *       name: 'fetch',
 *       make: (breaker, options) => client(breaker, options),
 *       capabilities: { lacks: { http2: 'fetch of Node speaks HTTP/1.1 only' } },
 *     });
 */
export function testAdapter(driver: Driver): void {
  describe(`${driver.name}`, () => {
    const suite = new Suite(driver);
    testResponses(suite);
    testConnections(suite);
    testTimeouts(suite);
    testBodies(suite);
    testAborts(suite);
    testHttp2(suite);
    testOutage(suite);
    testHooks(suite);
    testRetries(suite);
    testFallbacks(suite);
    testSharing(suite);
    suite.testNothingIsLeft();
  });
}
