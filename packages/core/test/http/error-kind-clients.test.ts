import { describe, expect, it } from 'vitest';
import { errorKind, type ErrorKind, type SignalLike } from '../../src/http/error-kind.ts';

// One fault after the other, as each client tells of it.

interface Fields {
  readonly [name: string]: unknown;
}

const error = (message: string, fields: Fields = {}) => Object.assign(new Error(message), fields);
const coded = (code: string, message = 'it broke') => error(message, { code });

const axios = (code: string | undefined, message: string, fields: Fields = {}) =>
  error(message, { name: 'AxiosError', isAxiosError: true, config: {}, code, ...fields });
const got = (name: string, code: string | undefined, message: string, fields: Fields = {}) =>
  error(message, { name, code, options: {}, ...fields });
const ky = (cause: unknown) =>
  error('Request failed due to a network error', { name: 'NetworkError', request: {}, cause });
const fetchFailed = (cause: unknown) => new TypeError('fetch failed', { cause });
const denoFailed = (phase: string, message: string) =>
  fetchFailed(
    new Error(`error sending request for url (https://h/): client error (${phase}): ${message}`),
  );
const terminated = (cause: unknown) => new TypeError('terminated', { cause });
const axiosFetch = (cause: unknown) =>
  axios('ERR_NETWORK', 'Network Error', { cause: fetchFailed(cause) });

const parser = error('Response does not match the HTTP/1.1 protocol', {
  name: 'HTTPParserError',
  code: undefined,
});
const socket = coded('UND_ERR_SOCKET', 'other side closed');
const response = { status: 200 };

const abort = new DOMException('This operation was aborted', 'AbortError');
const timeout = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
const left: SignalLike = { aborted: true, reason: abort };
const timedOut: SignalLike = { aborted: true, reason: timeout };
const untouched: SignalLike = { aborted: false };

type Case = readonly [client: string, error: unknown, kind: ErrorKind, signal?: SignalLike];

const faults: Readonly<Record<string, readonly Case[]>> = {
  refused: [
    ['axios', axios('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1'), 'refused'],
    ['axios, by fetch', axiosFetch(coded('ECONNREFUSED')), 'refused'],
    ['axios in a browser', axios('ERR_NETWORK', 'Network Error'), 'network'],
    ['got', got('RequestError', 'ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1'), 'refused'],
    ['ky', ky(fetchFailed(coded('ECONNREFUSED'))), 'refused'],
    ['undici', coded('ECONNREFUSED'), 'refused'],
    [
      'undici, of two addresses',
      Object.assign(new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]), {
        code: 'ECONNREFUSED',
      }),
      'refused',
    ],
    ['Node', fetchFailed(coded('ECONNREFUSED')), 'refused'],
    ['Bun', Object.assign(new TypeError('Unable to connect'), { code: 'ECONNREFUSED' }), 'refused'],
    ['Bun, in its own words', error('Unable to connect', { code: 'ConnectionRefused' }), 'refused'],
    [
      'Deno',
      fetchFailed(
        new Error('client error (Connect): tcp connect error: Connection refused (os error 111)'),
      ),
      'refused',
    ],
    ['workerd', new Error('Network connection lost.'), 'network'],
    ['Chromium', new TypeError('Failed to fetch'), 'network'],
  ],
  DNS: [
    ['axios', axios('ENOTFOUND', 'getaddrinfo ENOTFOUND nowhere.invalid'), 'dns'],
    ['axios, by fetch', axiosFetch(coded('ENOTFOUND')), 'dns'],
    ['got', got('RequestError', 'ENOTFOUND', 'getaddrinfo ENOTFOUND nowhere.invalid'), 'dns'],
    ['ky', ky(fetchFailed(coded('ENOTFOUND'))), 'dns'],
    ['undici', coded('ENOTFOUND'), 'dns'],
    ['Node, for now', fetchFailed(coded('EAI_AGAIN')), 'dns'],
    ['Bun', Object.assign(new TypeError('no address'), { code: 'ENOTFOUND' }), 'dns'],
    [
      'Deno',
      fetchFailed(
        new Error('client error (Connect): dns error: failed to lookup address information'),
      ),
      'dns',
    ],
    ['workerd', new Error('internal error; reference = 0123abcd'), 'network'],
    ['Chromium', new TypeError('Failed to fetch'), 'network'],
  ],
  'closed before the headers': [
    ['axios', axios('ECONNRESET', 'socket hang up'), 'reset'],
    ['axios, by fetch', axiosFetch(socket), 'reset'],
    ['got', got('RequestError', 'ECONNRESET', 'socket hang up'), 'reset'],
    [
      'got, by HTTP/2',
      got('RequestError', 'ERR_GOT_REQUEST_ERROR', 'The HTTP/2 stream has been early terminated'),
      'reset',
    ],
    [
      'got, a stream of HTTP/2',
      got('ReadError', 'ECONNRESET', 'The server aborted pending request', { response: undefined }),
      'reset',
    ],
    ['ky', ky(fetchFailed(socket)), 'reset'],
    ['undici', socket, 'reset'],
    ['Node', fetchFailed(coded('ECONNRESET', 'read ECONNRESET')), 'reset'],
    ['Bun', Object.assign(new TypeError('closed'), { code: 'ECONNRESET' }), 'reset'],
    [
      'Deno',
      fetchFailed(
        new Error('client error (SendRequest): connection closed before message completed'),
      ),
      'reset',
    ],
    ['workerd', new Error('Network connection lost.'), 'network'],
    ['a proxy', coded('UND_ERR_SOCKS5'), 'network'],
    ['the second error of a socket', coded('ERR_SOCKET_CLOSED_BEFORE_CONNECTION'), 'network'],
  ],
  'cut mid body': [
    ['axios', axios('ERR_BAD_RESPONSE', 'stream has been aborted', { response }), 'body'],
    ['axios, by fetch', error('x', { isAxiosError: true, cause: terminated(socket) }), 'body'],
    [
      'got',
      got('ReadError', 'ECONNRESET', 'The server aborted pending request', { response }),
      'body',
    ],
    ['ky', terminated(socket), 'body'],
    ['undici', socket, 'reset'],
    ['Node', terminated(coded('ECONNRESET')), 'body'],
    ['Bun', Object.assign(new TypeError('closed'), { code: 'ECONNRESET' }), 'reset'],
    ['Deno', new TypeError('error reading a body from connection'), 'body'],
    ['Chromium, by text()', new TypeError('Failed to fetch'), 'network'],
    ['Chromium, by its reader', new TypeError('network error'), 'network'],
  ],
  'cut mid stream': [
    ['Node, and so axios', coded('ECONNRESET', 'aborted'), 'body'],
    ['axios 1.7', axios('ERR_BAD_RESPONSE', 'maxContentLength size of -1 exceeded'), 'body'],
  ],
  'a length that is wrong': [
    ['axios', axios('ERR_BAD_RESPONSE', 'stream has been aborted', { response }), 'body'],
    [
      'got',
      got('ReadError', 'ERR_HTTP_CONTENT_LENGTH_MISMATCH', 'Content-Length mismatch'),
      'body',
    ],
    ['undici, of a response', coded('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'), 'body'],
    ['undici, of the request', coded('UND_ERR_REQ_CONTENT_LENGTH_MISMATCH'), 'local'],
  ],
  'a body that can not be decoded': [
    ['axios', axios('Z_DATA_ERROR', 'incorrect header check', { response }), 'body'],
    [
      'axios, Brotli',
      axios('ERR__ERROR_FORMAT_PADDING_2', 'Decompression failed', { response }),
      'body',
    ],
    [
      'axios, Zstandard',
      axios('ZSTD_error_prefix_unknown', 'Unknown frame descriptor', { response }),
      'body',
    ],
    ['got', got('ReadError', 'ERR_READING_RESPONSE_STREAM', 'incorrect header check'), 'body'],
    ['Node', terminated(coded('Z_DATA_ERROR', 'incorrect header check')), 'body'],
    ['Bun', error('Decompression error', { name: 'ZlibError', code: 'ZlibError' }), 'body'],
    ['Deno', new TypeError('Invalid gzip header'), 'body'],
    ['workerd', new Error('Gzip decompression failed.'), 'body'],
  ],
  'its own timeout, no headers': [
    ['axios', axios('ECONNABORTED', 'timeout of 300ms exceeded'), 'response-timeout'],
    ['axios, by fetch', axios('ETIMEDOUT', 'timeout of 300ms exceeded'), 'response-timeout'],
    [
      'got',
      got('TimeoutError', 'ETIMEDOUT', "Timeout awaiting 'request' for 300ms", {
        event: 'request',
      }),
      'response-timeout',
    ],
    [
      'ky',
      error('Request timed out: GET http://h/', { name: 'TimeoutError', request: {} }),
      'response-timeout',
    ],
    ['ky, seen by fetch', abort, 'response-timeout', untouched],
    [
      'undici',
      error('Headers Timeout Error', {
        name: 'HeadersTimeoutError',
        code: 'UND_ERR_HEADERS_TIMEOUT',
      }),
      'response-timeout',
    ],
    ['Node', fetchFailed(coded('UND_ERR_HEADERS_TIMEOUT')), 'response-timeout'],
  ],
  'its own timeout, mid body': [
    ['axios', axios('ERR_BAD_RESPONSE', 'stream has been aborted', { response }), 'body'],
    [
      'got',
      got('TimeoutError', 'ETIMEDOUT', "Timeout awaiting 'read'", { event: 'read' }),
      'body-timeout',
    ],
    [
      'undici',
      error('Body Timeout Error', { name: 'BodyTimeoutError', code: 'UND_ERR_BODY_TIMEOUT' }),
      'body-timeout',
    ],
    ['Node', terminated(coded('UND_ERR_BODY_TIMEOUT')), 'body-timeout'],
  ],
  'no connection in time': [
    [
      'axios',
      axios('ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1:80', { syscall: 'connect' }),
      'connect-timeout',
    ],
    [
      'got',
      got('TimeoutError', 'ETIMEDOUT', "Timeout awaiting 'connect'", { event: 'connect' }),
      'connect-timeout',
    ],
    [
      'undici',
      error('Connect Timeout Error', {
        name: 'ConnectTimeoutError',
        code: 'UND_ERR_CONNECT_TIMEOUT',
      }),
      'connect-timeout',
    ],
    ['Node', fetchFailed(coded('UND_ERR_CONNECT_TIMEOUT')), 'connect-timeout'],
  ],
  'a reply that is garbage': [
    ['axios', axios('HPE_INVALID_CONSTANT', 'Parse Error: Expected HTTP/'), 'protocol'],
    ['axios, by fetch', axiosFetch(parser), 'protocol'],
    ['got', got('RequestError', 'HPE_INVALID_CONSTANT', 'Parse Error: Expected HTTP/'), 'protocol'],
    ['ky', ky(fetchFailed(parser)), 'protocol'],
    ['undici', parser, 'protocol'],
    ['undici 6', error('x', { name: 'HTTPParserError', code: 'HPE_INVALID_CONSTANT' }), 'protocol'],
    ['Node', fetchFailed(parser), 'protocol'],
    ['Bun', coded('Malformed_HTTP_Response'), 'protocol'],
    ['Bun, its length', coded('InvalidContentLength'), 'protocol'],
    ['Bun, its headers too large', coded('ResponseHeadersTooLarge'), 'protocol'],
    ['Bun, in its body', coded('InvalidHTTPResponse'), 'protocol'],
    ['Deno', denoFailed('SendRequest', 'invalid HTTP version parsed'), 'protocol'],
    ['Deno, its status', denoFailed('SendRequest', 'invalid HTTP status-code parsed'), 'protocol'],
    ['Deno, its length', denoFailed('SendRequest', 'invalid content-length parsed'), 'protocol'],
    ['Deno, too large', denoFailed('SendRequest', 'message head is too large'), 'protocol'],
    ['HTTP/2', coded('ERR_HTTP2_STREAM_ERROR'), 'protocol'],
  ],
  'a peer that is not trusted, or speaks no TLS': [
    ['Node', fetchFailed(coded('DEPTH_ZERO_SELF_SIGNED_CERT')), 'tls'],
    ['Node, no TLS', fetchFailed(coded('ERR_SSL_WRONG_VERSION_NUMBER')), 'tls'],
    ['Node, an alert', fetchFailed(coded('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION')), 'tls'],
    ['Bun', Object.assign(new TypeError('x'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), 'tls'],
    ['Bun, no TLS', Object.assign(new TypeError('x'), { code: 'EPROTO' }), 'tls'],
    ['Deno', denoFailed('Connect', 'invalid peer certificate: UnknownIssuer'), 'tls'],
    [
      'Deno, no TLS',
      denoFailed('Connect', 'received corrupt message of type InvalidContentType'),
      'tls',
    ],
    ['Deno, an alert', denoFailed('Connect', 'received fatal alert: ProtocolVersion'), 'tls'],
    ['workerd', new Error('internal error; reference = 0123abcd'), 'network'],
  ],
  'the caller left': [
    ['axios', axios('ERR_CANCELED', 'canceled', { name: 'CanceledError' }), 'cancel', left],
    [
      'axios, without its signal',
      axios('ERR_CANCELED', 'canceled', { name: 'CanceledError' }),
      'cancel',
    ],
    [
      'axios, an upload',
      axios('ERR_CANCELED', 'Request stream has been aborted', { name: 'CanceledError' }),
      'cancel',
    ],
    [
      'got',
      got('AbortError', 'ERR_ABORTED', 'This operation was aborted.', { cause: abort }),
      'cancel',
      left,
    ],
    ['got 14', got('CancelError', 'ERR_CANCELED', 'Promise was canceled'), 'cancel'],
    ['ky and fetch', abort, 'cancel', left],
    ['ky and fetch, with a reason', 'gone', 'cancel', { aborted: true, reason: 'gone' }],
    ['workerd, with a reason', new Error('gone'), 'cancel', { aborted: true, reason: 'gone' }],
    ['undici', abort, 'cancel', left],
    [
      'undici, mid body',
      error('Request aborted', { name: 'AbortError', code: 'UND_ERR_ABORTED' }),
      'cancel',
    ],
    ['undici, destroyed', coded('UND_ERR_DESTROYED', 'The client is destroyed'), 'cancel'],
    ['undici, closed', coded('UND_ERR_CLOSED', 'The client is closed'), 'cancel'],
    [
      'a stream that its reader destroyed',
      coded('ERR_STREAM_PREMATURE_CLOSE', 'Premature close'),
      'cancel',
      left,
    ],
    ['Chromium, by a response made anew', new TypeError('Failed to fetch'), 'cancel', left],
  ],
  "the caller's AbortSignal.timeout": [
    ['axios', axios('ERR_CANCELED', 'canceled', { name: 'CanceledError' }), 'deadline', timedOut],
    [
      'got',
      got('TimeoutError', 'ETIMEDOUT', "Timeout awaiting 'request'", { event: 'request' }),
      'deadline',
      timedOut,
    ],
    [
      'got 14, with the number for a code',
      error('x', { name: 'TimeoutError', code: 23 }),
      'deadline',
    ],
    ['ky, undici and fetch', timeout, 'deadline', timedOut],
    ['fetch, without its signal', timeout, 'deadline'],
    ['undici, mid body', coded('UND_ERR_ABORTED'), 'deadline', timedOut],
  ],
  'redirects without end': [
    [
      'axios',
      axios('ERR_FR_TOO_MANY_REDIRECTS', 'Maximum number of redirects exceeded'),
      'redirect-loop',
    ],
    [
      'got',
      got('MaxRedirectsError', 'ERR_TOO_MANY_REDIRECTS', 'Redirected 10 times. Aborting.'),
      'redirect-loop',
    ],
    ['undici', coded('UND_ERR_REDIRECT_MAX', 'max redirects'), 'redirect-loop'],
    ['ky and Node', ky(fetchFailed(new Error('redirect count exceeded'))), 'redirect-loop'],
    ['Bun', error('too many', { code: 'TooManyRedirects' }), 'redirect-loop'],
    [
      'Deno',
      new TypeError('error following redirect for url: too many redirects'),
      'redirect-loop',
    ],
    ['workerd', new TypeError('Too many redirects. https://h/, https://h/'), 'redirect-loop'],
    ['Chromium', new TypeError('Failed to fetch'), 'network'],
  ],
  'a mistake of the caller': [
    ['axios', axios('ERR_INVALID_URL', 'Invalid URL'), 'local'],
    ['axios, without a response', axios('ERR_BAD_REQUEST', 'Unsupported protocol ftp:'), 'local'],
    ['axios, an option', axios('ERR_BAD_OPTION_VALUE', 'option x must be a boolean'), 'local'],
    [
      'axios, a hook of redirects',
      axios('ERR_FR_REDIRECTION_FAILURE', 'Redirected request failed: no'),
      'local',
    ],
    ['axios, its limit', axios('ERR_BAD_RESPONSE', 'maxContentLength size of 9 exceeded'), 'local'],
    ['got', got('RequestError', 'ERR_INVALID_URL', 'Invalid URL'), 'local'],
    ['got, an upload', got('UploadError', 'ERR_UPLOAD', 'ENOENT'), 'local'],
    [
      'undici',
      error('invalid header', { name: 'InvalidArgumentError', code: 'UND_ERR_INVALID_ARG' }),
      'local',
    ],
    ['undici, not supported', coded('UND_ERR_NOT_SUPPORTED'), 'local'],
    ['undici, its limit', coded('UND_ERR_RES_EXCEEDED_MAX_SIZE'), 'local'],
    ['undici, no mock', fetchFailed(coded('UND_MOCK_ERR_MOCK_NOT_MATCHED')), 'local'],
    [
      'Node: a URL',
      new TypeError('Failed to parse URL from /x', { cause: coded('ERR_INVALID_URL') }),
      'local',
    ],
    [
      'Node: a used request',
      new TypeError('Cannot construct a Request with a Request object that has already been used.'),
      'local',
    ],
    [
      'Node: a header',
      new TypeError('Headers.append: "bad name" is an invalid header name.'),
      'local',
    ],
    ['Bun and Deno: a header', new TypeError("Invalid header name: 'bad name'"), 'local'],
    ['workerd: a header', new TypeError('Invalid header name.'), 'local'],
    ['Deno: a port', new TypeError('Fetch failed: Requests to port 1 are blocked'), 'local'],
    ['workerd: a scheme', new TypeError('Fetch API cannot load: gopher://h/'), 'local'],
    [
      'workerd: a used request',
      new TypeError('Cannot reconstruct a Request with a used body.'),
      'local',
    ],
    ['Bun: a URL', Object.assign(new TypeError('x'), { code: 'ERR_INVALID_URL' }), 'local'],
    ['Bun: a header', Object.assign(new TypeError('x'), { code: 'ERR_INVALID_CHAR' }), 'local'],
    [
      'Bun: a used body',
      Object.assign(new TypeError('x'), { code: 'ERR_BODY_ALREADY_USED' }),
      'local',
    ],
    ['Deno: a URL', new TypeError("Invalid URL: '/x'"), 'local'],
    ['Chromium', new TypeError("Failed to execute 'fetch' on 'Window': Invalid name"), 'local'],
  ],
  'a response made an error': [
    [
      'axios, 503',
      axios('ERR_BAD_RESPONSE', 'Request failed with status code 503', { response }),
      'unknown',
    ],
    [
      'axios, 404',
      axios('ERR_BAD_REQUEST', 'Request failed with status code 404', { response }),
      'unknown',
    ],
    [
      'axios, its JSON',
      axios('ERR_BAD_RESPONSE', 'Unexpected token < in JSON', { name: 'SyntaxError', response }),
      'unknown',
    ],
    [
      'got',
      got('HTTPError', 'ERR_NON_2XX_3XX_RESPONSE', 'Response code 503', { response }),
      'unknown',
    ],
    [
      'got, its JSON',
      got('ParseError', 'ERR_BODY_PARSE_FAILURE', 'Unexpected token < in JSON', { response }),
      'unknown',
    ],
    [
      'ky',
      error('Request failed with status code 503', { name: 'HTTPError', response }),
      'unknown',
    ],
    ['ky and fetch, their JSON', new SyntaxError('Unexpected token < in JSON'), 'unknown'],
    [
      'undici',
      error('Response Error', { name: 'ResponseError', code: 'UND_ERR_RESPONSE' }),
      'unknown',
    ],
    [
      'undici, after retries',
      error('Request failed', { name: 'RequestRetryError', code: 'UND_ERR_REQ_RETRY' }),
      'unknown',
    ],
  ],
  'an upload whose source fails': [
    ['fetch', fetchFailed(new Error('no more')), 'unknown'],
    ['fetch, of its own kind', fetchFailed(new TypeError('x is not a function')), 'unknown'],
    ['fetch, with a code', fetchFailed(error('no such file', { code: 'ENOENT' })), 'local'],
  ],
  'a cause that is no error': [
    [
      'got',
      got('RequestError', 'ERR_GOT_REQUEST_ERROR', 'x is undefined', { cause: {} }),
      'unknown',
    ],
    ['a mock', fetchFailed(new Response(null, { status: 500 })), 'network'],
    ['a name alone', { name: 'AbortError' }, 'cancel'],
  ],
};

describe.each(Object.entries(faults))('%s', (_, cases) => {
  it.each(cases.map(([client, thrown, kind, signal]) => ({ client, thrown, kind, signal })))(
    '$client: $kind',
    ({ thrown, kind, signal }) => {
      expect(errorKind(thrown, signal).kind).toBe(kind);
    },
  );
});
