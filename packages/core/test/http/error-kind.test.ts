import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallNotPermittedError } from '../../src/breaker/errors.ts';
import { errorKind, errorKinds, type ErrorKind } from '../../src/http/error-kind.ts';

function coded(code: unknown, fields: object = {}, message = 'it broke'): Error {
  return Object.assign(new Error(message), { code }, fields);
}

function named(name: string, fields: object = {}, message = 'it broke'): Error {
  return Object.assign(new Error(message), { name }, fields);
}

const fetchFailed = (cause: unknown) => new TypeError('fetch failed', { cause });
const axios = (code: string, message: string, fields: object = {}) =>
  coded(code, { isAxiosError: true, ...fields }, message);

const codes: Partial<Record<ErrorKind, string>> = {
  dns: 'ENOTFOUND EAI_AGAIN EAI_FAIL EAI_NODATA EAI_NONAME',
  refused: 'ECONNREFUSED',
  unreachable: 'EHOSTUNREACH ENETUNREACH EHOSTDOWN ENETDOWN EADDRNOTAVAIL',
  tls:
    'CERT_HAS_EXPIRED CERT_NOT_YET_VALID CERT_UNTRUSTED ERR_TLS_CERT_ALTNAME_INVALID ERR_TLS_HANDSHAKE_TIMEOUT ' +
    'ERR_SSL_WRONG_VERSION_NUMBER EPROTO DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN ' +
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT_LOCALLY UND_ERR_PRX_TLS',
  'connect-timeout': 'UND_ERR_CONNECT_TIMEOUT',
  'response-timeout': 'UND_ERR_HEADERS_TIMEOUT ECONNABORTED ETIMEDOUT',
  'body-timeout': 'UND_ERR_BODY_TIMEOUT',
  cancel: 'ERR_CANCELED ERR_ABORTED ABORT_ERR UND_ERR_ABORTED UND_ERR_DESTROYED',
  reset: 'ECONNRESET EPIPE UND_ERR_SOCKET UND_ERR_CLOSED',
  protocol:
    'HPE_INVALID_CONSTANT HPE_INVALID_HEADER_TOKEN ERR_HTTP2_STREAM_ERROR ERR_HTTP2_SESSION_ERROR ' +
    'NGHTTP2_INTERNAL_ERROR UND_ERR_HEADERS_OVERFLOW',
  body:
    'ERR_HTTP_CONTENT_LENGTH_MISMATCH UND_ERR_RES_CONTENT_LENGTH_MISMATCH Z_DATA_ERROR Z_BUF_ERROR ' +
    'ERR_STREAM_PREMATURE_CLOSE ERR_READING_RESPONSE_STREAM',
  'redirect-loop': 'ERR_FR_TOO_MANY_REDIRECTS ERR_TOO_MANY_REDIRECTS UND_ERR_REDIRECT_MAX',
  local:
    'ERR_INVALID_URL ERR_INVALID_PROTOCOL ERR_INVALID_CHAR ERR_INVALID_HTTP_TOKEN ERR_UNESCAPED_CHARACTERS ' +
    'ERR_SOCKET_BAD_PORT UND_ERR_INVALID_ARG UND_ERR_NOT_SUPPORTED ERR_BAD_OPTION ERR_BAD_OPTION_VALUE ' +
    'ERR_BAD_REQUEST ERR_FR_REDIRECTION_FAILURE UND_MOCK_ERR_MOCK_NOT_MATCHED ERR_UPLOAD ERR_BODY_ALREADY_USED ' +
    'UND_ERR_RES_EXCEEDED_MAX_SIZE EACCES ENOENT EMFILE',
  network: 'ERR_NETWORK ERR_SOCKET_CLOSED_BEFORE_CONNECTION UND_ERR_SOCKS5 E_NEVER_HEARD_OF',
  unknown:
    'ERR_BODY_PARSE_FAILURE ERR_NON_2XX_3XX_RESPONSE UND_ERR_RESPONSE UND_ERR_REQ_RETRY ERR_BAD_RESPONSE',
};
const everyCode = Object.entries(codes).flatMap(([kind, list]) =>
  list.split(' ').map((code) => ({ code, kind })),
);

describe('codes', () => {
  it.each(everyCode)('$code is $kind', ({ code, kind }) => {
    expect(errorKind(coded(code))).toEqual({ kind, code });
  });

  it.each(everyCode)('$code is $kind below two wrappers', ({ code, kind }) => {
    const wrapped = named('NetworkError', { cause: fetchFailed(coded(code)) });
    expect(errorKind(wrapped)).toEqual({ kind, code });
  });

  it.each([
    ['EAI_AGAIN', 'dns'],
    ['ECONNREFUSED', 'refused'],
  ])('%s of an AggregateError decides', (code, kind) => {
    const both = new AggregateError([coded(code), coded(code)], '');
    expect(errorKind(fetchFailed(both))).toEqual({ kind, code });
  });

  it.each([20, 23, 0, Symbol('code'), {}, '', null])('no code is what is no text: %s', (code) => {
    expect(errorKind(coded(code))).toEqual({ kind: 'unknown' });
  });

  it('cuts an endless code', () => {
    expect(errorKind(coded('E'.repeat(10_000))).code).toHaveLength(64);
  });
});

describe('errors of the clients', () => {
  it.each<[what: string, error: unknown, kind: ErrorKind]>([
    ['a connect that timed out', coded('ETIMEDOUT', { syscall: 'connect' }), 'connect-timeout'],
    [
      'several connects that timed out',
      fetchFailed(
        Object.assign(new AggregateError([coded('ETIMEDOUT', { syscall: 'connect' })]), {
          code: 'ETIMEDOUT',
        }),
      ),
      'connect-timeout',
    ],
    [
      'axios: connect timed out',
      axios('ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1:80'),
      'connect-timeout',
    ],
    ['axios: its timeout', axios('ECONNABORTED', 'timeout of 300ms exceeded'), 'response-timeout'],
    [
      'axios: its timeout, clarified',
      axios('ETIMEDOUT', 'timeout of 300ms exceeded'),
      'response-timeout',
    ],
    ['axios: the page was left', axios('ECONNABORTED', 'Request aborted'), 'cancel'],
    ['a socket that was aborted', coded('ECONNABORTED', { syscall: 'write' }), 'reset'],
    ['axios: a body cut short', axios('ERR_BAD_RESPONSE', 'stream has been aborted'), 'body'],
    [
      'axios: a body beyond its limit',
      axios('ERR_BAD_RESPONSE', 'maxContentLength size of 10 exceeded'),
      'local',
    ],
    [
      'axios: a status wrapped',
      axios('ERR_BAD_RESPONSE', 'Request failed with status code 503', { response: {} }),
      'unknown',
    ],
    [
      'axios: a 404 wrapped',
      axios('ERR_BAD_REQUEST', 'Request failed with status code 404', { response: {} }),
      'unknown',
    ],
    ['axios: canceled', axios('ERR_CANCELED', 'canceled', { name: 'CanceledError' }), 'cancel'],
    [
      'axios over fetch: refused',
      axios('ERR_NETWORK', 'Network Error', { cause: fetchFailed(coded('ECONNREFUSED')) }),
      'refused',
    ],
    ['got: a hook that threw', coded('ERR_GOT_REQUEST_ERROR', {}, 'x is undefined'), 'unknown'],
    ['got: a mocked network error', coded('ERR_GOT_REQUEST_ERROR', {}, 'Network error'), 'network'],
    ['got: canceled', coded('ERR_CANCELED', { name: 'CancelError' }), 'cancel'],
    ['got: a status wrapped', named('HTTPError', { response: { statusCode: 503 } }), 'unknown'],
    ['ky: a status wrapped', named('HTTPError', { response: { status: 503 } }), 'unknown'],
    ['ky: its timeout', named('TimeoutError', { request: {} }), 'response-timeout'],
    ['ky: a network error', named('NetworkError', { cause: new TypeError('x') }), 'network'],
    ['undici: a parser without a code', named('HTTPParserError'), 'protocol'],
    ['undici: information', coded('UND_ERR_INFO', {}, 'reset'), 'network'],
    [
      'undici: a proxy that makes no tunnel',
      coded('UND_ERR_ABORTED', {}, 'Proxy response (502) !== 200 when HTTP Tunneling'),
      'unreachable',
    ],
    ['undici: closed by its owner', coded('UND_ERR_CLOSED', {}, 'The client is closed'), 'cancel'],
    [
      'Node: too many redirects',
      fetchFailed(new Error('redirect count exceeded')),
      'redirect-loop',
    ],
    ['Node: bad port', fetchFailed(new Error('bad port')), 'local'],
    ['Node: unknown scheme', fetchFailed(new Error('unknown scheme')), 'local'],
    ['Node: bad URL', new TypeError('Failed to parse URL from /x'), 'local'],
    ['Node: failed, and no more', new TypeError('fetch failed'), 'network'],
    ['Node: cut mid body', new TypeError('terminated'), 'body'],
    [
      'Node: cut mid body, by the socket',
      new TypeError('terminated', { cause: coded('UND_ERR_SOCKET') }),
      'body',
    ],
    [
      'Node: the body took too long',
      new TypeError('terminated', { cause: coded('UND_ERR_BODY_TIMEOUT') }),
      'body-timeout',
    ],
    [
      'Node: aborted mid body',
      new TypeError('terminated', { cause: coded('UND_ERR_ABORTED') }),
      'cancel',
    ],
    ['Chromium', new TypeError('Failed to fetch'), 'network'],
    ['Chromium, in a body', new TypeError('network error'), 'network'],
    ['Chromium: bad URL', new TypeError("Failed to execute 'fetch' on 'Window': no"), 'local'],
    ['Firefox', new TypeError('NetworkError when attempting to fetch resource.'), 'network'],
    ['Safari', new TypeError('Load failed'), 'network'],
    ['workerd', new Error('Network connection lost.'), 'network'],
    ['workerd: DNS', new Error('internal error; reference = abc'), 'network'],
    ['workerd: bad body', new Error('Gzip decompression failed.'), 'body'],
    ['Deno', new TypeError('error sending request for url (http://h/)'), 'network'],
    [
      'Deno: refused',
      fetchFailed(new Error('tcp connect error: Connection refused (os error 111)')),
      'refused',
    ],
    ['Deno: cut', new TypeError('error reading a body from connection'), 'body'],
    ['Deno: bad body', new TypeError('Invalid gzip header'), 'body'],
    ['Bun: bad body', named('ZlibError'), 'body'],
    ['Bun: too many redirects', coded('TooManyRedirects'), 'redirect-loop'],
    ['a UNIX socket that is not there', coded('ENOENT', { syscall: 'connect' }), 'refused'],
    ['a file that is not there', coded('ENOENT', { syscall: 'open' }), 'local'],
    ['a connect that a firewall forbids', coded('EACCES', { syscall: 'connect' }), 'unreachable'],
    ['bad JSON', new SyntaxError('Unexpected token < in JSON'), 'unknown'],
    ['a mistake', new TypeError('x is not a function'), 'unknown'],
    ['a cause that is no error', named('RequestError', { cause: {} }), 'unknown'],
  ])('%s', (_, error, kind) => {
    expect(errorKind(error).kind).toBe(kind);
  });

  it.each([
    ['lookup', 'connect-timeout'],
    ['connect', 'connect-timeout'],
    ['secureConnect', 'connect-timeout'],
    ['send', 'response-timeout'],
    ['socket', 'response-timeout'],
    ['request', 'response-timeout'],
    ['response', 'response-timeout'],
    ['read', 'body-timeout'],
  ])("got's phase %s is a %s", (event, kind) => {
    const error = coded('ETIMEDOUT', { name: 'TimeoutError', event });
    expect(errorKind(error)).toEqual({ kind, code: 'ETIMEDOUT' });
  });
});

describe('who ended the call', () => {
  const timeout = new DOMException('too late', 'TimeoutError');
  const abort = new DOMException('gone', 'AbortError');
  const timedOut = { aborted: true, reason: timeout };
  const left = { aborted: true, reason: abort };
  const untouched = { aborted: false };

  it.each<[string, unknown, { aborted: boolean; reason?: unknown } | undefined, ErrorKind]>([
    ['an AbortError without a signal', abort, undefined, 'cancel'],
    ['an AbortError of the signal', abort, left, 'cancel'],
    ['an AbortError, the signal timed out', abort, timedOut, 'deadline'],
    ['an AbortError, the signal untouched', abort, untouched, 'response-timeout'],
    ['a cancel by other means, the signal untouched', coded('ERR_CANCELED'), untouched, 'cancel'],
    ['a stream destroyed, the signal untouched', coded('ABORT_ERR'), untouched, 'cancel'],
    ['axios on AbortSignal.timeout', coded('ERR_CANCELED'), timedOut, 'deadline'],
    ['got on AbortSignal.timeout', coded('ETIMEDOUT', { event: 'request' }), timedOut, 'deadline'],
    ['a TimeoutError without a signal', timeout, undefined, 'deadline'],
    ['an abort caused by one', coded('ERR_ABORTED', { cause: timeout }), undefined, 'deadline'],
    ['a copy of its numeric code', named('TimeoutError', { code: 23 }), undefined, 'deadline'],
    ['a reset, the signal aborted', coded('ECONNRESET'), left, 'cancel'],
    ['a reset, the signal untouched', coded('ECONNRESET'), untouched, 'reset'],
    ['a bare reason', 'gone', { aborted: true, reason: 'gone' }, 'cancel'],
    ['a bare reason without a signal', 'gone', undefined, 'cancel'],
    ['a bare value, the signal untouched', 'gone', untouched, 'unknown'],
    ['nothing at all', undefined, undefined, 'unknown'],
  ])('%s', (_, error, signal, kind) => {
    expect(errorKind(error, signal).kind).toBe(kind);
  });

  it("reads AbortSignal's own signals", () => {
    const controller = new AbortController();
    controller.abort('gone');
    expect(errorKind('gone', controller.signal).kind).toBe('cancel');
    expect(errorKind(coded('ENOTFOUND'), new AbortController().signal).kind).toBe('dns');
  });
});

describe("a breaker's refusal", () => {
  const refusal = new CallNotPermittedError({ breaker: 'b', state: 'open', reason: 'open' });
  const foreign = { [Symbol.for('@recloser/core.CallNotPermittedError')]: true };

  it.each([
    ['itself', refusal],
    ['of another copy', foreign],
    ['below wrappers', fetchFailed(named('RequestError', { cause: refusal, code: 'ECONNRESET' }))],
    ['among several', new AggregateError([coded('ECONNREFUSED'), refusal])],
  ])('is not-permitted: %s', (_, error) => {
    expect(errorKind(error, { aborted: true })).toEqual({ kind: 'not-permitted' });
  });
});

describe('anything', () => {
  const thrower = new Proxy(() => {}, {
    get() {
      throw new Error('no');
    },
  });
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const endless: object = new Proxy({}, { get: () => endless });
  const fresh = (): object => new Proxy({}, { get: () => fresh() });

  it('hostile values have an answer and throw nothing', () => {
    const hostile = [
      thrower,
      revoked.proxy,
      endless,
      fresh(),
      Object.create(null),
      Symbol('x'),
      1n,
    ];
    for (const value of hostile) {
      expect(errorKinds).toContain(errorKind(value, value as never).kind);
      expect(errorKinds).toContain(errorKind(new Error('x', { cause: value })).kind);
      expect(errorKinds).toContain(errorKind({ errors: value }).kind);
    }
  });

  it('ends where causes go round in a circle', () => {
    const first = coded('ECONNREFUSED');
    const second = new Error('second', { cause: first });
    first.cause = second;
    expect(errorKind(second)).toEqual({ kind: 'refused', code: 'ECONNREFUSED' });
  });

  it('follows neither endless chains nor endless lists', () => {
    let deep: object = coded('ECONNREFUSED');
    for (let depth = 0; depth < 100; depth++) deep = { cause: deep };
    expect(errorKind(deep)).toEqual({ kind: 'unknown' });
    const broad = new AggregateError(Array.from({ length: 100 }, () => ({})));
    broad.errors.push(coded('ECONNREFUSED'));
    expect(errorKind(broad)).toEqual({ kind: 'unknown' });
  });

  it('has an answer for any value whatever', () => {
    const anything = fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true });
    const word = fc.constantFrom('AbortError', 'TimeoutError', 'ETIMEDOUT', '__proto__', 'x');
    const shaped = fc.record(
      {
        name: word,
        code: fc.oneof(word, anything),
        message: fc.string(),
        cause: anything,
        errors: anything,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(anything, shaped), anything, (error, signal) => {
        const answer = errorKind(error, signal as never);
        expect(errorKinds).toContain(answer.kind);
        expect(['string', 'undefined']).toContain(typeof answer.code);
      }),
    );
  });
});
