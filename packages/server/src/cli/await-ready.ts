// Checks whether a service runs at a URL, and waits until it is ready.

import { setTimeout as wait } from 'node:timers/promises';
import { OperatorError } from '../errors.ts';

/** Also true while the service is starting. */
export function isAlive(url: string): Promise<boolean> {
  return answersOk(`${url}/health/live`);
}

export async function awaitReady(url: string, signal: AbortSignal, patienceMs = 60_000): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  while (!(await answersOk(`${url}/health/ready`))) {
    if (performance.now() > giveUpAt) throw new OperatorError(`The service at ${url} does not become ready.`);
    await wait(pauseMs, undefined, { signal });
  }
}

const pauseMs = 250;

async function answersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(3_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
