import type { ErrorKind } from '@recloser/core';
import type { Capabilities } from './contract.ts';

/** The endings about which clients may differ. */
export type Ending = keyof ReturnType<typeof standardOutcomes>;

/** What is recorded of each ending unless a driver declares otherwise. */
export function standardOutcomes({ lacks = {}, settles = 'headers' }: Capabilities) {
  const afterHeaders = (kind: ErrorKind, isSeen = true): readonly string[] => {
    if (settles === 'body') return [`failure ${kind}`];
    return isSeen ? ['success 200', `amended ${kind}`] : ['success 200'];
  };
  const brokenBody = (kind: ErrorKind): readonly string[] =>
    afterHeaders(kind, lacks['watched bodies'] === undefined);
  const timeout = `failure ${lacks.timeout ? 'deadline' : 'response-timeout'}`;
  return {
    'nobody listens': ['failure refused'],
    'no such host': ['failure dns'],
    'certificate not trusted': ['failure tls'],
    'connect timeout': [`failure ${lacks['connect timeout'] ? 'deadline' : 'connect-timeout'}`],
    'connect within the timeout': [timeout],
    'closed before headers': ['failure reset'],
    'reset before headers': ['failure reset'],
    'kept connection reset': ['failure reset'],
    'no HTTP': ['failure protocol'],
    'timeout before headers': [timeout],
    'timeout in headers': [timeout],
    'timeout in the body': brokenBody(lacks['body timeout'] ? 'deadline' : 'body-timeout'),
    'deadline before headers': ['failure deadline'],
    'deadline in the body': brokenBody('deadline'),
    'body reset': brokenBody('body'),
    'body shorter than its length': brokenBody('body'),
    'chunked body cut': brokenBody('body'),
    'bad gzip': afterHeaders('body', lacks['watched decoding'] === undefined),
    'redirect loop': [lacks.redirects ? 'success 302' : 'ignored redirect-loop'],
    '100 Continue': ['success 200'],
    '103 Early Hints': ['success 200'],
    '101 without having been asked': ['failure reset'],
    'upload not found': ['ignored local'],
    'upload fails': ['ignored unknown'],
    'HTTP/2 stream reset': ['failure protocol'],
    'HTTP/2 connection closed': ['failure protocol'],
    'left before headers': ['ignored cancel'],
    'left in the body': settles === 'body' ? ['ignored cancel'] : ['success 200'],
  } as const satisfies Readonly<Record<string, readonly string[]>>;
}
