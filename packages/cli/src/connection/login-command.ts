// `flaghoist login` and `logout`: stores which service to talk to, and as which client, after trying it out.

import { createClient, FlaghoistError } from '@flaghoist/sdk';
import { usageError } from '../command/command-error.ts';
import type { ServiceOptions } from '../command/service-command.ts';
import { readEnvironment } from '../environment/environment.ts';
import { type OutputOptions, printResult } from '../terminal/output.ts';
import { readServiceUrl } from './connect.ts';
import { loginPath, readLogin, removeLogin, writeLogin } from './login-file.ts';
import { prompt, promptHidden, readLineFromInput } from './prompt.ts';

export async function login(options: ServiceOptions): Promise<void> {
  const environment = readEnvironment();
  const isTerminal = process.stdin.isTTY === true;
  const before = await readLogin().catch(() => undefined);
  const url =
    options.url ??
    environment.url ??
    (isTerminal ? await prompt('URL of the service', before?.url ?? 'http://127.0.0.1:8080') : undefined);
  const clientId =
    options.clientId ?? environment.clientId ?? (isTerminal ? await prompt('Client id', before?.clientId) : undefined);
  if (!url || !clientId) throw usageError('Pass --url and --client-id, and the secret on standard input.');
  const serviceUrl = readServiceUrl(url);
  const clientSecret =
    environment.clientSecret ?? (isTerminal ? await promptHidden('Client secret (hidden)') : await readLineFromInput());
  if (clientSecret === '')
    throw usageError('The secret is missing. Write it to standard input, or set FLAGHOIST_CLIENT_SECRET.');
  const found = { url: serviceUrl, clientId, clientSecret };
  await tryOut(found);
  const file = await writeLogin(found);
  printResult(
    options,
    { url: found.url, clientId, file },
    `Logged in to ${found.url} as ${clientId}. Stored in ${file}, readable by you alone.\n`,
  );
}

export async function logout(options: OutputOptions): Promise<void> {
  const file = loginPath();
  const isRemoved = await removeLogin();
  printResult(options, { file, isRemoved }, isRemoved ? `${file} is removed.\n` : 'There was no stored login.\n');
}

/** Gets a token. What the client may do does not matter here. */
async function tryOut(credentials: { url: string; clientId: string; clientSecret: string }): Promise<void> {
  try {
    await createClient({ ...credentials, retries: 0 }).page('WebhookSubscription', { limit: 1, fields: {} });
  } catch (error) {
    if (!(error instanceof FlaghoistError && error.status === 403)) throw error;
  }
}
