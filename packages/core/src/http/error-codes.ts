import type { ErrorKind } from './error-kind.ts';

/**
 * What kind an error's code, or its name where it has no code, stands for whatever client it came
 * from.
 */
const KINDS: Readonly<Partial<Record<ErrorKind, string>>> = {
  // The rest are answers of a resolver (c-ares).
  dns: 'ENOTFOUND ENODATA ESERVFAIL EREFUSED ETIMEOUT ENONAME',
  refused: 'ECONNREFUSED ConnectionRefused FailedToOpenSocket',
  unreachable: 'EHOSTUNREACH ENETUNREACH EHOSTDOWN ENETDOWN EADDRNOTAVAIL AddrNotAvailable',
  // OpenSSL's names of what is wrong with a certificate, as Node hands them on.
  tls:
    'EPROTO DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN HOSTNAME_MISMATCH INVALID_CA ' +
    'INVALID_PURPOSE PATH_LENGTH_EXCEEDED UNKNOWN_CERTIFICATE_VERIFICATION_ERROR UND_ERR_PRX_TLS',
  'connect-timeout':
    'UND_ERR_CONNECT_TIMEOUT ERR_SOCKET_CONNECTION_TIMEOUT ConnectTimeoutError TimedOut',
  'response-timeout':
    'UND_ERR_HEADERS_TIMEOUT HeadersTimeoutError ESOCKETTIMEDOUT ERR_HTTP_REQUEST_TIMEOUT',
  'body-timeout': 'UND_ERR_BODY_TIMEOUT BodyTimeoutError',
  cancel:
    'AbortError CanceledError CancelError ABORT_ERR ERR_ABORTED ERR_CANCELED UND_ERR_ABORTED ' +
    'UND_ERR_ABORT UND_ERR_DESTROYED',
  reset:
    'ECONNRESET EPIPE ENETRESET ENOTCONN ESHUTDOWN UND_ERR_SOCKET UND_ERR_CLOSED ConnectionReset ' +
    'ConnectionAborted ConnectionClosed BrokenPipe',
  protocol:
    'HTTPParserError UND_ERR_HEADERS_OVERFLOW UND_ERR_HTTP_PARSER Malformed_HTTP_Response ' +
    'InvalidHTTPResponse InvalidContentLength ResponseHeadersTooLarge',
  body:
    'ERR_HTTP_CONTENT_LENGTH_MISMATCH UND_ERR_RES_CONTENT_LENGTH_MISMATCH ZlibError ReadError ' +
    'ERR_STREAM_PREMATURE_CLOSE ERR_READING_RESPONSE_STREAM UnexpectedEof',
  'redirect-loop':
    'ERR_FR_TOO_MANY_REDIRECTS ERR_TOO_MANY_REDIRECTS MaxRedirectsError UND_ERR_REDIRECT_MAX TooManyRedirects',
  // Misuse of a client, a hook that failed, a file to upload that is not there, and limits that the
  // caller set.
  local:
    'UND_ERR_INVALID_ARG UND_ERR_INVALID_RETURN_VALUE UND_ERR_NOT_SUPPORTED UND_ERR_REQ_CONTENT_LENGTH_MISMATCH ' +
    'UND_ERR_BPL_MISSING_UPSTREAM UND_ERR_MAX_ORIGINS_REACHED UND_ERR_RES_EXCEEDED_MAX_SIZE UND_MOCK_ERR_MOCK_NOT_MATCHED ' +
    'ERR_UNESCAPED_CHARACTERS ERR_SOCKET_BAD_PORT ERR_UNSUPPORTED_PROTOCOL ERR_BODY_ALREADY_USED ERR_UPLOAD ' +
    'ERR_NOT_SUPPORT ERR_DEPRECATED ERR_FORM_DATA_DEPTH_EXCEEDED ERR_FR_REDIRECTION_FAILURE ' +
    'ERR_FR_MAX_BODY_LENGTH_EXCEEDED ERR_CACHE_ACCESS ERR_MISSING_ARGS ERR_OUT_OF_RANGE ERR_METHOD_NOT_IMPLEMENTED ' +
    'ERR_HTTP_INVALID_HEADER_VALUE ERR_HTTP_HEADERS_SENT ERR_HTTP_TRAILER_INVALID ERR_ASSERTION ERR_MODULE_NOT_FOUND ' +
    'MODULE_NOT_FOUND ENOENT EISDIR ENOTDIR EEXIST EMFILE ENFILE NotCapable PermissionDenied',
  // ky's, a browser's, axios's: what happened is at most in the cause.
  network: 'NetworkError ERR_NETWORK',
  // A response that a client, or a parser after it, made an error: its status speaks, not this.
  unknown:
    'ERR_NON_2XX_3XX_RESPONSE ERR_BODY_PARSE_FAILURE ERR_RETRYING UND_ERR_RESPONSE UND_ERR_RESPONSE_STATUS_CODE ' +
    'UND_ERR_REQ_RETRY',
};

const BY_WORD: ReadonlyMap<string, ErrorKind> = new Map(
  Object.entries(KINDS).flatMap(([kind, words]) =>
    words.split(' ').map((word): [string, ErrorKind] => [word, kind as ErrorKind]),
  ),
);

const BY_PREFIX: readonly (readonly [prefix: string, kind: ErrorKind])[] = [
  ['EAI_', 'dns'],
  ['CERT_', 'tls'],
  ['CRL_', 'tls'],
  ['ERROR_IN_', 'tls'],
  ['UNABLE_TO_', 'tls'],
  ['ERR_TLS_', 'tls'],
  ['ERR_SSL_', 'tls'],
  ['ERR_OSSL_', 'tls'],
  ['HPE_', 'protocol'],
  ['ERR_HTTP2_', 'protocol'],
  ['NGHTTP2_', 'protocol'],
  // Of Node's decoders for gzip, Brotli and Zstandard.
  ['Z_', 'body'],
  ['ERR__ERROR_', 'body'],
  ['ZSTD_', 'body'],
  ['ERR_INVALID_', 'local'],
  ['ERR_BAD_OPTION', 'local'],
];

// In the words of Node and undici, Deno, workerd, and the browsers; the first that fits decides.
const BY_MESSAGE: readonly (readonly [pattern: RegExp, kind: ErrorKind])[] = [
  [/too many redirects|redirect count exceeded|maximum number of redirects/i, 'redirect-loop'],
  [/connection refused/i, 'refused'],
  [/dns error|failed to lookup address/i, 'dns'],
  [/no route to host|(?:host|network) is unreachable/i, 'unreachable'],
  [/invalid peer certificate|certificate verify failed|self.signed certificate/i, 'tls'],
  [/received (?:fatal alert|corrupt message)/i, 'tls'],
  [/invalid (?:HTTP \S+|content-length) parsed|message head is too large/i, 'protocol'],
  [/^terminated$|^error reading a body|unexpected end of file/i, 'body'],
  [/invalid gzip header|decompression failed|incorrect header check/i, 'body'],
  [/connection reset|socket hang up|other side closed|connection closed before/i, 'reset'],
  [/HTTP\/2 stream has been early terminated/i, 'reset'],
  [/^failed to parse url|^invalid url|^url scheme |^unknown scheme$|^bad port$/i, 'local'],
  [/^failed to execute 'fetch'|is not a valid url|includes credentials/i, 'local'],
  [/already been used|body is unusable|body has already been|with a used body/i, 'local'],
  [/requests to port \d+ are blocked|^fetch api cannot load/i, 'local'],
  [/^invalid header (?:name|value)|is an invalid header (?:name|value)/i, 'local'],
  [/^fetch failed|^failed to fetch|^load failed$|^network ?error\b/i, 'network'],
  [/^network request failed|^(?:the )?network connection (?:was )?lost/i, 'network'],
  [/^error sending request|^internal error; reference|internet connection appears/i, 'network'],
];

/** The kind that a code or a name stands for by itself. */
export function kindOfWord(word: string): ErrorKind | undefined {
  return BY_WORD.get(word) ?? BY_PREFIX.find(([prefix]) => word.startsWith(prefix))?.[1];
}

/** The words that `kindOfWord` knows, but for those that it knows by their beginning. */
export function wordsWithKind(): string[] {
  return [...BY_WORD.keys()];
}

/**
 * The kind that a message speaks of, for errors of runtimes that give them neither code nor name.
 */
export function kindOfMessage(message: string): ErrorKind | undefined {
  return BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1];
}
