// Reads the events of one connection until it ends, and gives it up when it is silent: the service writes a comment
// every 15 seconds.

import { onAbort } from '../client/wait.ts';
import { FlaghoistError } from '../flaghoist-error.ts';
import { EventParser, type ServerEvent } from './event-parser.ts';

export interface ConnectionEvents {
  onEvent(event: ServerEvent): void;
  /** The service says how long to wait before the next connection. */
  onRetry(durationMs: number): void;
}

/** Resolves when the service has ended the stream, or the signal is aborted. */
export async function readEvents(
  response: Response,
  { silenceMs, signal }: { silenceMs: number; signal: AbortSignal },
  { onEvent, onRetry }: ConnectionEvents,
): Promise<void> {
  if (!response.body || !/^text\/event-stream\b/.test(response.headers.get('content-type') ?? '')) {
    await response.body?.cancel();
    throw new FlaghoistError('invalidAnswer', 'The answer is not a stream of events. Is there a proxy between?');
  }
  const reader = response.body.getReader();
  const parser = new EventParser();
  let isSilent = false;
  const cancel = () => void reader.cancel().catch(() => undefined);
  const giveUp = () => {
    isSilent = true;
    cancel();
  };
  let timer = setTimeout(giveUp, silenceMs);
  const forget = onAbort(signal, cancel);
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      clearTimeout(timer);
      timer = setTimeout(giveUp, silenceMs);
      for (const event of parser.parse(next.value)) onEvent(event);
      if (parser.retryMs !== undefined) onRetry(parser.retryMs);
    }
  } catch (cause) {
    if (cause instanceof FlaghoistError) throw cause;
    if (!signal.aborted && !isSilent) throw new FlaghoistError('network', 'The stream was interrupted.', { cause });
  } finally {
    clearTimeout(timer);
    forget();
    cancel();
  }
  if (isSilent) throw new FlaghoistError('timeout', `The stream was silent for ${silenceMs / 1000} s.`);
}
