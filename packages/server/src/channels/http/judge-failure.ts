// Judges a broken exchange: a failure of the receiver, or a fault on our side. The reason of a failure is for the
// subscriber and reveals nothing about our network; the reason of a fault is for the operator.

import { errors } from 'undici';
import { ConnectError } from '../guard/connect-error.ts';
import { failed, type SendResult } from '../send-result.ts';

/** `hasIdentity`: a client certificate was presented. */
export function judgeFailure(error: unknown, connectTimeoutMs: number, hasIdentity = false): SendResult {
  if (error instanceof ConnectError) return judgeConnectError(error, connectTimeoutMs);
  const { code = '', message, address } = error as NodeJS.ErrnoException & { address?: string };
  // A machine without IPv6 never has a local IPv6 address. This is permanent, not a lack of sockets.
  if (code === 'EADDRNOTAVAIL' && address?.includes(':')) return failed(unreachable);
  if (ourFaults.has(code)) return { kind: 'ownFault', reason: `Out of sockets: ${message}` };
  if (error instanceof errors.HTTPParserError && code !== 'HPE_HEADER_OVERFLOW') return failed(notHttp);
  const reason = reasonOfAlert(code, hasIdentity) ?? reasons[code] ?? reasonByPattern(code, message);
  return failed(reason === closed && hasIdentity ? closedOnIdentity : reason);
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
    case 'no tunnel':
      return failed(message);
    case 'no resolver':
    case 'no proxy':
    case 'given up':
      return { kind: 'ownFault', reason: message };
    case 'no connection':
      return failed(`No connection within ${renderSeconds(connectTimeoutMs)}.`);
  }
}

const ourFaults: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM']);

const closed = 'The connection was closed before a response arrived.';
const notHttp = 'The response is not valid HTTP.';
const unreachable = 'The host cannot be reached.';
const certificate = (what: string) => `The TLS certificate is not valid: ${what}.`;
const unknownIssuer = certificate('its issuer is not known, or the chain is not complete');

/** Some receivers reject a client certificate by closing the connection. */
const otherCertificate = 'If the receiver does not accept the client certificate, set another one in channelInfo.auth.';
const closedOnIdentity = `${closed} ${otherCertificate}`;

/** What TLS alerts say about the client certificate (RFC 8446 §6.2), by the end of the error code. */
const alerts: Readonly<Record<string, string>> = {
  UNKNOWN_CA: 'it does not know the issuer',
  BAD_CERTIFICATE: 'it is not valid there',
  CERTIFICATE_UNKNOWN: 'it is not valid there',
  UNSUPPORTED_CERTIFICATE: 'it is of a kind that the receiver does not support',
  CERTIFICATE_EXPIRED: 'it has expired',
  CERTIFICATE_REVOKED: 'it was revoked',
  ACCESS_DENIED: 'it gives no access',
  DECRYPT_ERROR: 'its signature could not be verified',
};

function reasonOfAlert(code: string, hasIdentity: boolean): string | undefined {
  const [, alert = ''] = /^ERR_SSL_\w+?_ALERT_(\w+)$/.exec(code) ?? [];
  if (!hasIdentity)
    return alert === 'CERTIFICATE_REQUIRED'
      ? 'The receiver demands a client certificate: set channelInfo.auth of the type MTLS.'
      : undefined;
  if (code.startsWith('ERR_OSSL_'))
    return 'The client certificate cannot be used: set another one in channelInfo.auth.';
  const why = alerts[alert];
  return why && `The receiver does not accept the client certificate: ${why}. Set another one in channelInfo.auth.`;
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: closed,
  EPIPE: closed,
  ECONNABORTED: closed,
  ETIMEDOUT: 'The connection timed out.',
  EHOSTUNREACH: unreachable,
  EHOSTDOWN: unreachable,
  ENETUNREACH: unreachable,
  ENETDOWN: unreachable,
  EACCES: unreachable,
  EPERM: unreachable,
  EAFNOSUPPORT: unreachable,
  UND_ERR_INVALID_ARG: 'The request cannot be sent: a header or the URL has invalid characters.',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: notHttp,
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the response are too large.',
  HPE_HEADER_OVERFLOW: 'The headers of the response are too large.',
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
    return 'TLS failed: the receiver must support TLS 1.2 or later.';
  if (/^(CERT_|ERR_TLS_CERT|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_)/.test(code))
    return certificate('it could not be verified');
  if (/^(ERR_SSL_|ERR_TLS_|EPROTO)/.test(code)) return 'TLS failed: the handshake did not succeed.';
  return 'The connection failed.';
}

function reasonOfSocket(message: string): string {
  if (message === 'bad upgrade') return 'The receiver answered 101: it asks for another protocol.';
  // undici rejects a 100 that it did not ask for, and gives no other detail.
  return message === 'bad response' ? 'The receiver answered 100 (Continue) without being asked for it.' : closed;
}
