// One POST to the local target, with every failure as a value.

import { STATUS_CODES } from 'node:http';

export interface Outcome {
  isDelivered: boolean;
  /** Null if there was no answer. */
  status: number | null;
  /** `200 OK`, or why there was no answer: `connection refused`. */
  answer: string;
  /** The first bytes of the answer of a target that refuses. */
  detail: string;
  durationMs: number;
}

export interface Target {
  url: string;
  timeoutMs: number;
}

const answerBytesMax = 200;

export async function sendToTarget(
  { url, timeoutMs }: Target,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<Outcome> {
  const startedAt = performance.now();
  // On Node 20, `AbortSignal.any` would leave a little memory with the long-lived signal at each attempt.
  const end = new AbortController();
  const abort = () => end.abort(signal.reason);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end.abort();
  }, timeoutMs);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  const durationMs = () => Math.round(performance.now() - startedAt);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'user-agent': 'flaghoist-cli', ...headers },
      body,
      // A failure, as it is for the service.
      redirect: 'manual',
      signal: end.signal,
    });
    const { status } = response;
    const isDelivered = status >= 200 && status <= 299;
    const detail = isDelivered ? '' : await firstBytes(response);
    await response.body?.cancel().catch(() => undefined);
    const answer = `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
    return { isDelivered, status, answer, detail, durationMs: durationMs() };
  } catch (error) {
    const answer = isLate ? `no answer in ${timeoutMs / 1000} s` : reasonOf(error);
    return { isDelivered: false, status: null, answer, detail: '', durationMs: durationMs() };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** What the target says about its failure, on one line. */
async function firstBytes({ body }: Response): Promise<string> {
  if (!body) return '';
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of body) {
    text += decoder.decode(piece as Uint8Array, { stream: true });
    if (text.length >= answerBytesMax) break;
  }
  return text.slice(0, answerBytesMax).replaceAll(/\s+/g, ' ').trim();
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  UND_ERR_SOCKET: 'connection closed',
  ENOTFOUND: 'host not found',
};

function reasonOf(error: unknown): string {
  const { message, cause } = error as { message: string; cause?: { code?: string; message?: string } };
  return reasons[cause?.code ?? ''] ?? (cause?.message || message);
}
