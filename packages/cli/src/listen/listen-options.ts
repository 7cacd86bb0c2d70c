// The options of listen, read and checked before anything is created.

import { CommandError, usageError } from '../command/command-error.ts';
import { parseCount, parseSeconds, parseSince } from '../command/parse-arguments.ts';
import { parseJsonObject } from '../command/parse-json-object.ts';
import type { ServiceOptions } from '../command/service-command.ts';
import type { SubscriptionRequest } from './listening-subscription.ts';
import type { Target } from './send-to-target.ts';

export interface ListenOptions extends ServiceOptions {
  event?: string[];
  forwardTo?: string;
  name?: string;
  since?: string;
  expression?: string;
  fields?: string;
  onlyMainObject?: boolean;
  changes?: boolean;
  secret?: string;
  showSecret?: boolean;
  body?: boolean;
  timeout: string;
  retries?: string;
  count?: string;
}

export interface ListenRequest {
  subscription: SubscriptionRequest;
  target: Target | undefined;
  since: string | undefined;
  retries: number;
  count: number;
  /** NDJSON instead of text. */
  isJson: boolean;
}

export function readListenOptions(options: ListenOptions): ListenRequest {
  const { event = [], forwardTo, name, since, expression, fields, secret, timeout, retries, count } = options;
  return {
    subscription: {
      eventTypes: event.flatMap((one) => one.split(',')).map((one) => one.trim()),
      name: checkName(name),
      expression,
      fields: fields === undefined ? undefined : parseJsonObject('--fields', fields),
      signingSecret: checkSecret(secret),
      onlyMainObject: options.onlyMainObject ?? false,
      includeChanges: options.changes ?? false,
    },
    target:
      forwardTo === undefined
        ? undefined
        : { url: parseTarget(forwardTo), timeoutMs: parseSeconds('--timeout', timeout) * 1000 },
    since: since === undefined ? undefined : parseSince('--since', since, new Date()),
    retries: retries === undefined ? Number.POSITIVE_INFINITY : parseCount('--retries', retries, 0),
    count: count === undefined ? Number.POSITIVE_INFINITY : parseCount('--count', count),
    isJson: options.json ?? process.stdout.isTTY !== true,
  };
}

/** `3000/hook`, `localhost:3000/hook` or a whole URL. */
function parseTarget(text: string): string {
  const whole = /^\d+(\/|$)/.test(text) ? `http://localhost:${text}` : /^https?:/i.test(text) ? text : `http://${text}`;
  try {
    const url = new URL(whole);
    if (url.username === '' && url.password === '') return url.href;
  } catch {
    // Below.
  }
  throw usageError('--forward-to takes a URL like http://localhost:3000/hook, without user and password.');
}

function checkName(name: string | undefined): string | undefined {
  if (name !== undefined && (name.trim() === '' || name.length > 120))
    throw usageError('--name takes a name of 1 to 120 characters.');
  return name;
}

/** The message does not show it. */
function checkSecret(secret: string | undefined): string | undefined {
  if (secret !== undefined && !/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret))
    throw new CommandError('--secret takes a signing secret: "whsec_" and 24 to 64 bytes in Base64.', 2);
  return secret;
}
