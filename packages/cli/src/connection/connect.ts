// Finds out which service to talk to and as whom: from options, the environment, or what `login` stored.

import { type Client, createClient } from '@flaghoist/sdk';
import { usageError } from '../command/command-error.ts';
import type { ConnectionOptions } from '../command/service-command.ts';
import { readEnvironment } from '../environment/environment.ts';
import { type Login, readLogin } from './login-file.ts';

export interface Connection {
  client: Client;
  url: string;
  clientId: string;
}

export interface ConnectOptions {
  /** How often a request is repeated while the service is away. */
  retries?: number;
}

export async function connect(options: ConnectionOptions, { retries = 2 }: ConnectOptions = {}): Promise<Connection> {
  const { url, clientId, clientSecret } = await findLogin(options);
  const client = createClient({ url, clientId, clientSecret, retries, userAgent: 'flaghoist-cli' });
  return { client, url, clientId };
}

/** For what needs no client. */
export async function findUrl({ url }: ConnectionOptions): Promise<string> {
  const found = url ?? readEnvironment().url ?? (await readLogin())?.url;
  if (found === undefined) throw usageError('Which service? Pass --url, set FLAGHOIST_URL, or run "flaghoist login".');
  return readServiceUrl(found);
}

/** A stored secret is used only for the service and the client that it was stored for. */
async function findLogin(options: ConnectionOptions): Promise<Login> {
  const environment = readEnvironment();
  const given = { url: options.url ?? environment.url, clientId: options.clientId ?? environment.clientId };
  const { clientSecret } = environment;
  if (given.url !== undefined && given.clientId !== undefined && clientSecret !== undefined)
    return { url: readServiceUrl(given.url), clientId: given.clientId, clientSecret };
  const stored = await readLogin();
  const url = given.url === undefined ? stored?.url : readServiceUrl(given.url);
  const isSameService = stored !== undefined && url === stored.url;
  const clientId = given.clientId ?? (isSameService ? stored.clientId : undefined);
  const isSameClient = isSameService && clientId === stored.clientId;
  const secret = clientSecret ?? (isSameClient ? stored.clientSecret : undefined);
  if (url !== undefined && clientId !== undefined && secret !== undefined)
    return { url, clientId, clientSecret: secret };
  throw usageError(missing({ url, clientId, hasSecret: secret !== undefined }));
}

function missing({ url, clientId, hasSecret }: { url?: string; clientId?: string; hasSecret: boolean }): string {
  const variables = [
    ...(url === undefined ? ['FLAGHOIST_URL'] : []),
    ...(clientId === undefined ? ['FLAGHOIST_CLIENT_ID'] : []),
    ...(hasSecret ? [] : ['FLAGHOIST_CLIENT_SECRET']),
  ];
  const place = url === undefined ? '' : ` to ${url}${clientId === undefined ? '' : ` as ${clientId}`}`;
  return `You are not logged in${place}. Run "flaghoist login", or set ${variables.join(' and ')}.`;
}

/** Without slashes at its end. The message repeats the URL only if it can have no password. */
export function readServiceUrl(url: string): string {
  if (/^https?:\/\//i.test(url)) return url.replace(/\/+$/, '');
  const meant = /^[\w.:-]+\/*$/.test(url) ? `: did you mean http://${url}?` : '.';
  throw usageError(`The URL of the service must begin with http:// or https://${meant}`);
}
