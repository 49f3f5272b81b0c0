import { nearestName } from '../breaker/nearest-name.ts';
import { hasSameLetters } from './same-letters.ts';
import { kindOfWord, wordsWithKind } from './error-codes.ts';
import { errorKinds } from './error-kind.ts';

// Codes that tell a kind only together with more, or none; and further ones of Node, which are not
// to be taken for misspelt ones of the table.
const OTHER_CODES =
  'ETIMEDOUT ECONNABORTED EACCES EPERM ERR_BAD_RESPONSE ERR_BAD_REQUEST UND_ERR_CLOSED UND_ERR_INFO UND_ERR ' +
  'ERR_GOT_REQUEST_ERROR UND_ERR_SOCKS5 ERR_SOCKET_CLOSED_BEFORE_CONNECTION ERR_SOCKET_CLOSED ' +
  'ERR_STREAM_DESTROYED ERR_STREAM_WRITE_AFTER_END ERR_CALL_NOT_PERMITTED ' +
  'E2BIG EADDRINUSE EAFNOSUPPORT EAGAIN EALREADY EBADF EBADMSG EBUSY ECANCELED ECHILD EDEADLK EDESTADDRREQ ' +
  'EDOM EDQUOT EFAULT EFBIG EIDRM EILSEQ EINPROGRESS EINTR EINVAL EIO EISCONN ELOOP EMLINK EMSGSIZE EMULTIHOP ' +
  'ENAMETOOLONG ENOBUFS ENODEV ENOEXEC ENOLCK ENOLINK ENOMEM ENOMSG ENOPROTOOPT ENOSPC ENOSR ENOSTR ENOSYS ' +
  'ENOTEMPTY ENOTSOCK ENOTSUP ENOTTY ENXIO EOPNOTSUPP EOVERFLOW EPROTONOSUPPORT EPROTOTYPE ERANGE EROFS ESPIPE ' +
  'ESRCH ESTALE ETIME ETXTBSY EWOULDBLOCK EXDEV ' +
  // c-ares
  'EFORMERR ENOTIMP EBADQUERY EBADNAME EBADFAMILY EBADRESP EOF EFILE EDESTRUCTION EBADSTR EBADFLAGS EBADHINTS ' +
  'ENOTINITIALIZED ELOADIPHLPAPI EADDRGETNETWORKPARAMS ECANCELLED';

/** The code or kind that a code was most likely meant to be; undefined for one that may well be right. */
export function rightErrorCode(code: string): string | undefined {
  const known = [...wordsWithKind(), ...OTHER_CODES.split(' ')];
  if (kindOfWord(code) !== undefined || known.includes(code)) return undefined;
  const kind = code.toLowerCase().replaceAll(/[_ ]/g, '-');
  if ((errorKinds as readonly string[]).includes(kind)) return kind;
  // Codes of one family have much in common.
  const own = code.replace(/^(?:UND_)?ERR_/, '');
  return (
    known.find((word) => hasSameLetters(word, code)) ??
    nearestName(code, known, Math.max(1, Math.floor(own.length / 5)))
  );
}
