// `flaghoist demo`: a fleet that keeps moving, in the service that runs at the configured address; where none runs, one is
// started for as long as the demo lasts.

import { loadSettings } from '../config/load-settings.ts';
import type { Settings } from '../config/settings-table.ts';
import { runDemo } from '../demo/run-demo.ts';
import { OperatorError } from '../errors.ts';
import { localUrl } from '../http/listener.ts';
import { createLog } from '../observability/log.ts';
import { startService } from '../service.ts';

export async function demoCommand({ every }: { every: string }): Promise<void> {
  const tickMs = Number(every) * 1000;
  if (!(tickMs >= 0 && tickMs <= 3_600_000))
    throw new OperatorError('--every takes a number of seconds from 0 to 3600.');
  const { settings } = loadSettings();
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  const runningUrl = settings.baseUrl ?? localUrl(settings.host, settings.port);
  const service = (await isRunning(runningUrl)) ? undefined : await startQuietly(settings);
  const baseUrl = service?.localUrl ?? runningUrl;
  process.stdout.write(
    `\n  The demo fleet is in ${service ? 'a service of its own' : 'the service'} at ${baseUrl} (docs at ${baseUrl}/docs). Ctrl+C ends it.\n\n`,
  );
  try {
    await runDemo({ baseUrl, signal: stopping.signal, tickMs, print: (line) => process.stdout.write(`${line}\n`) });
  } finally {
    await service?.stop();
  }
}

async function isRunning(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health/live`, { signal: AbortSignal.timeout(3_000) })).ok;
  } catch {
    return false;
  }
}

/** The changes are what a person wants to see here, not the log of a service. */
function startQuietly(settings: Settings) {
  return startService(settings, createLog({ level: 'warn', format: settings.logFormat }));
}
