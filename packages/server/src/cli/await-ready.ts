// Checks whether a service runs at a URL, and waits until it is ready.

import { setTimeout as wait } from 'node:timers/promises';
import { OperatorError } from '../errors.ts';

/** Also true while the service is starting. */
export function isAlive(url: string): Promise<boolean> {
  return respondsOk(`${url}/health/live`);
}

export async function awaitReady(url: string, signal: AbortSignal): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  while (!(await respondsOk(`${url}/health/ready`))) {
    if (performance.now() > giveUpAt) throw new OperatorError(`The service at ${url} does not become ready.`);
    await wait(pauseMs, undefined, { signal });
  }
}

const patienceMs = 60_000;
const pauseMs = 250;

async function respondsOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(3_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
