// Judges a broken exchange: a failure of the receiver, or a fault on our side. The reason of a failure is for the
// subscriber and reveals nothing about our network; the reason of a fault is for the operator.

import { errors } from 'undici';
import { ConnectError } from '../guard/guarded-connector.ts';
import type { SendResult } from '../send-result.ts';

export function judgeFailure(error: unknown, connectTimeoutMs: number): SendResult {
  if (error instanceof ConnectError) return judgeConnectError(error, connectTimeoutMs);
  const { code = '', message, address } = error as NodeJS.ErrnoException & { address?: string };
  // A machine without IPv6 never has a local IPv6 address. This is permanent, not a lack of sockets.
  if (code === 'EADDRNOTAVAIL' && address?.includes(':')) return failed(unreachable);
  if (ourFaults.has(code)) return { kind: 'ownFault', reason: `Out of sockets: ${message}` };
  if (error instanceof errors.HTTPParserError && code !== 'HPE_HEADER_OVERFLOW') return failed(noHttp);
  return failed(reasons[code] ?? reasonByPattern(code, message));
}

export function failed(reason: string): SendResult {
  return { kind: 'failed', reason, statusCode: null, answer: null, retryAfterMs: undefined };
}

export function renderSeconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

/** The same text for an unknown name and a forbidden address. Otherwise subscribers could find out internal names. */
const noAddress = 'The host cannot be reached: its name has no address that notifications may be sent to.';

function judgeConnectError({ problem, message }: ConnectError, connectTimeoutMs: number): SendResult {
  switch (problem) {
    case 'no address':
      return failed(noAddress);
    case 'no resolver':
    case 'given up':
      return { kind: 'ownFault', reason: message };
    case 'no connection':
      return failed(`No connection within ${renderSeconds(connectTimeoutMs)}.`);
  }
}

const ourFaults: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM']);

const closed = 'The connection was closed before an answer came.';
const noHttp = 'What came back is no HTTP answer.';
const unreachable = 'The host cannot be reached.';
const certificate = (what: string) => `The TLS certificate is not valid: ${what}.`;
const unknownIssuer = certificate('its issuer is not known, or the chain is not complete');

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: closed,
  EPIPE: closed,
  ECONNABORTED: closed,
  ETIMEDOUT: 'The connection broke down: nothing came back.',
  EHOSTUNREACH: unreachable,
  EHOSTDOWN: unreachable,
  ENETUNREACH: unreachable,
  ENETDOWN: unreachable,
  EACCES: unreachable,
  EPERM: unreachable,
  EAFNOSUPPORT: unreachable,
  UND_ERR_INVALID_ARG: 'The request could not be made: a header or the URL has characters that cannot be sent.',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: noHttp,
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large.',
  HPE_HEADER_OVERFLOW: 'The headers of the answer are too large.',
  CERT_HAS_EXPIRED: certificate('it has expired'),
  CERT_NOT_YET_VALID: certificate('it is not valid yet'),
  CERT_REVOKED: certificate('it was revoked'),
  DEPTH_ZERO_SELF_SIGNED_CERT: certificate('it is self-signed'),
  SELF_SIGNED_CERT_IN_CHAIN: unknownIssuer,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  ERR_TLS_CERT_ALTNAME_INVALID: certificate('it is for another name'),
};

function reasonByPattern(code: string, message: string): string {
  if (code === 'UND_ERR_SOCKET') return reasonOfSocket(message);
  if (/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|UNSUPPORTED_SSL/.test(code))
    return 'TLS failed: the receiver must speak TLS 1.2 or later.';
  if (/^(CERT_|ERR_TLS_CERT|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_)/.test(code))
    return certificate('it could not be verified');
  if (/^(ERR_SSL_|ERR_TLS_|EPROTO)/.test(code)) return 'TLS failed: there was no agreement on a connection.';
  return 'The connection failed.';
}

function reasonOfSocket(message: string): string {
  if (message === 'bad upgrade') return 'The receiver answered 101: it wants another protocol.';
  // undici rejects a 100 that it did not ask for, and gives no other detail.
  return message === 'bad response' ? 'The receiver answered 100 (Continue) without being asked for it.' : closed;
}
