// Why a service could not be reached, and what to do: by the codes of Node, Bun and Deno. The origin is named, nothing else
// of the URL.

interface Failure {
  message?: string;
  code?: string;
  cause?: unknown;
  /** One for each address of the host. */
  errors?: unknown[];
}

export function describeNetworkError({ origin, protocol }: URL, error: unknown): string {
  const failure = innermost(error as Failure);
  const { code = '', message = '' } = failure;
  const [, explain] = remedies.find(([codes]) => codes.test(code)) ?? [];
  const text = fromOpenSsl(message) ?? (message || 'the request failed');
  const reason = [text, ...(code === '' || text.includes(code) ? [] : [code])].join(', ');
  const remedy = explain ?? (protocol === 'https:' && /ssl|tls/i.test(reason) ? certificate : isRunning);
  return `no answer from ${origin} (${reason}). ${remedy}`;
}

/** The reason of `fetch failed` is in its cause; with several addresses, in the first error of the cause. */
function innermost(failure: Failure): Failure {
  const inner = (failure.cause ?? failure.errors?.[0]) as Failure | undefined;
  return inner && typeof inner === 'object' && (inner.message || inner.code || inner.errors)
    ? innermost(inner)
    : failure;
}

/** `…error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:../openssl/ssl/…` */
function fromOpenSsl(message: string): string | undefined {
  const [, problem] = /error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/.exec(message) ?? [];
  // What a server answers that takes http only.
  return problem === 'wrong version number' ? 'it does not answer with TLS' : problem;
}

const isRunning = 'Is the service running, and is `url` right?';
const certificate =
  'Is its certificate valid? A private authority must be trusted, in Node with NODE_EXTRA_CA_CERTS=<file>. ' +
  'Or does the service take http only?';

const remedies: readonly [codes: RegExp, explain: string][] = [
  [/ENOTFOUND|EAI_AGAIN|DNS/, 'The host name is not known. Is `url` right?'],
  [/CERT|SIGNED|VERIFY|ALTNAME|EPROTO|_SSL_|TLS/, certificate],
  [/ECONNRESET|SOCKET|EPIPE|ConnectionClosed/, 'The connection was closed. Does a proxy or the service end it early?'],
  [/TIMEDOUT|CONNECT_TIMEOUT|UNREACH/, 'There is no connection. Is a firewall or a proxy between, and is `url` right?'],
];
