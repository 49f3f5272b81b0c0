import { kindOfMessage, kindOfWord } from './error-codes.ts';
import type { ErrorKind, KindOfError } from './error-kind.ts';
import { propertyOf, textOf } from './hostile-value.ts';

/** What one error of a chain shows. */
interface Shown {
  readonly error: object;
  readonly code: string | undefined;
  readonly name: string;
  readonly message: string;
}

/** A judgement that yields to a firmer one of an error further down is weak. */
interface Judgement {
  readonly kind: ErrorKind;
  readonly code: string | undefined;
  readonly weak: boolean;
}

// Codes that wrap anything, and so say nothing.
const WRAPPERS = ['ERR_GOT_REQUEST_ERROR', 'UND_ERR_INFO', 'UND_ERR'];

/**
 * Judges a chain of errors, outermost first: the first firm judgement, else the first weak one,
 * else `unknown`. `aborted` is what the caller's signal says, undefined where none is known.
 */
export function judgeError(chain: readonly object[], aborted: boolean | undefined): KindOfError {
  const all = chain.map(show);
  let weak: Judgement | undefined;
  let firm: Judgement | undefined;
  for (const shown of all) {
    const judgement = judge(shown, all, aborted);
    if (judgement === undefined) continue;
    if (judgement.weak) weak ??= judgement;
    else firm ??= judgement;
  }
  // A body that broke off is known by what the client calls it; the socket's error is only how.
  const bodyBroke = weak?.kind === 'body' && firm?.kind === 'reset';
  const kind = bodyBroke ? 'body' : (firm?.kind ?? weakKind(weak, all, aborted));
  const code = (firm ?? weak)?.code ?? all.find((shown) => shown.code !== undefined)?.code;
  return code === undefined ? { kind } : { kind, code };
}

/**
 * Undici's fetch says `fetch failed` of everything, and what it was in the cause. A cause that shows
 * nothing of the network is the caller's own, as of an upload whose source threw.
 */
function weakKind(
  weak: Judgement | undefined,
  all: readonly Shown[],
  aborted: boolean | undefined,
): ErrorKind {
  if (weak === undefined) return 'unknown';
  const deepest = all.at(-1)!;
  const hasCause = all.some((each) => each !== deepest && each.message === 'fetch failed');
  const isOwn =
    weak.kind === 'network' &&
    hasCause &&
    deepest.message !== '' &&
    judge(deepest, all, aborted) === undefined;
  return isOwn ? 'unknown' : weak.kind;
}

function show(error: object): Shown {
  return {
    error,
    code: textOf(error, 'code'),
    name: textOf(error, 'name') ?? '',
    message: textOf(error, 'message', 1000) ?? '',
  };
}

function judge(
  shown: Shown,
  all: readonly Shown[],
  aborted: boolean | undefined,
): Judgement | undefined {
  const { code, name, message } = shown;
  const firm = (kind: ErrorKind): Judgement => ({ kind, code, weak: false });
  const weak = (kind: ErrorKind): Judgement => ({ kind, code, weak: true });

  if (code !== undefined && !WRAPPERS.includes(code)) {
    const special = Object.hasOwn(SPECIAL, code) ? SPECIAL[code]!(shown, all) : undefined;
    if (special !== undefined) return firm(special);
    const kind = kindOfWord(code);
    if (kind === 'cancel') return firm(isDeadline(all) ? 'deadline' : 'cancel');
    if (kind !== undefined) return kind === 'network' ? weak(kind) : firm(kind);
    return weak('network');
  }
  if (name === 'TimeoutError') return firm(isDomTimeout(shown) ? 'deadline' : 'response-timeout');
  const kind = kindOfWord(name);
  if (kind === 'cancel') {
    if (isDeadline(all)) return firm('deadline');
    // Nobody's signal but one of the client's own: its timeout.
    return firm(name === 'AbortError' && aborted === false ? 'response-timeout' : 'cancel');
  }
  if (kind !== undefined) return kind === 'network' ? weak(kind) : firm(kind);
  const told = kindOfMessage(message);
  if (told !== undefined) return told === 'network' || told === 'body' ? weak(told) : firm(told);
  return code === 'UND_ERR_INFO' || code === 'UND_ERR' ? weak('network') : undefined;
}

type Special = (shown: Shown, all: readonly Shown[]) => ErrorKind | undefined;

// Codes that mean one thing here and another there.
const SPECIAL: Readonly<Record<string, Special>> = {
  ETIMEDOUT: (shown, all) => {
    if (all.some(isConnect)) return 'connect-timeout';
    return phaseKind(textOf(shown.error, 'event'));
  },
  // axios: its own timeout, or a browser that left the page. Of a socket it is a connection lost.
  ECONNABORTED: ({ error, message }) => {
    if (message === 'Request aborted') return 'cancel';
    return textOf(error, 'syscall') === undefined ? 'response-timeout' : 'reset';
  },
  // Node, of a response that it is still receiving; and got, which says the same of a connection
  // that it lost before.
  ECONNRESET: ({ error, name, message }) => {
    const isOfBody = name === 'ReadError' && propertyOf(error, 'response') != null;
    return isOfBody || message === 'aborted' ? 'body' : undefined;
  },
  // axios: a body cut short, the caller's own limit, or a status that it does not take. Early
  // versions of it call a body cut short a limit of -1.
  ERR_BAD_RESPONSE: ({ message }) => {
    if (/aborted|maxContentLength size of -1 /i.test(message)) return 'body';
    return /maxContentLength/.test(message) ? 'local' : 'unknown';
  },
  ERR_BAD_REQUEST: ({ error }) => (propertyOf(error, 'response') == null ? 'local' : 'unknown'),
  // undici: what a proxy said to CONNECT, which nobody aborted.
  UND_ERR_ABORTED: ({ message }) =>
    message.startsWith('Proxy response (') ? 'unreachable' : undefined,
  UND_ERR_CLOSED: ({ message }) => (/client is closed/i.test(message) ? 'cancel' : undefined),
  // A UNIX socket that is not there; else a file.
  ENOENT: (shown) => (isConnect(shown) ? 'refused' : undefined),
  EACCES: firewall,
  EPERM: firewall,
};

function firewall(shown: Shown): ErrorKind {
  return isConnect(shown) ? 'unreachable' : 'local';
}

function isConnect({ error, code, message }: Shown): boolean {
  return textOf(error, 'syscall') === 'connect' || message.startsWith(`connect ${code}`);
}

// got names the phase in which its timeout struck.
function phaseKind(phase: string | undefined): ErrorKind {
  if (phase === 'lookup' || phase === 'connect' || phase === 'secureConnect') {
    return 'connect-timeout';
  }
  return phase === 'read' ? 'body-timeout' : 'response-timeout';
}

// AbortSignal.timeout's error. ky's timeout has the same name, but is no DOMException.
function isDomTimeout({ error, name }: Shown): boolean {
  if (name !== 'TimeoutError') return false;
  if (propertyOf(error, 'code') === 23) return true;
  return propertyOf(error, Symbol.toStringTag) === 'DOMException';
}

function isDeadline(all: readonly Shown[]): boolean {
  return all.some(isDomTimeout);
}
