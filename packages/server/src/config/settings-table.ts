// The table of all settings: environment variable, default, parser and one sentence each. The settings type, the
// loader, `flaghoist settings` and `docs/reference/settings.md` are all derived from it. The database is in
// `database-settings.ts`, request limits in `request-settings.ts`, the console in `console-settings.ts`, outgoing
// connections in `egress-settings.ts`, mail in `mail-settings.ts`, alerts in `alert-settings.ts`, traces in
// `trace-settings.ts`, and shutdown in `stop-settings.ts`.

import { alertSettings } from './alert-settings.ts';
import { consoleSettings } from './console-settings.ts';
import { databaseSettings } from './database-settings.ts';
import { egressSettings } from './egress-settings.ts';
import { mailSettings } from './mail-settings.ts';
import {
  parseBaseUrl,
  parseChoice,
  parseCidrList,
  parseClientId,
  parseDays,
  parseEncryptionKey,
  parseEnvironment,
  parseGivenSecret,
  parseInteger,
  parseIssuerUrl,
  parseName,
  parseNameServers,
  parseSeconds,
  parseSome,
  parseText,
} from './parse-setting.ts';
import { requestSettings } from './request-settings.ts';
import { optional, row, type SettingRow, secret } from './setting-row.ts';
import { stopSettings } from './stop-settings.ts';
import { traceSettings } from './trace-settings.ts';

/** 30 days. Tokens with a longer lifetime are neither issued nor accepted. */
export const tokenLifetimeMaxSeconds = 2_592_000;

export const settingsTable = {
  host: row('FLAGHOIST_HOST', '127.0.0.1', parseText, 'The address to listen on.'),
  port: row('FLAGHOIST_PORT', '8080', parseInteger(0, 65_535), 'The port to listen on. 0: any free port.'),
  baseUrl: optional(
    'FLAGHOIST_BASE_URL',
    parseBaseUrl,
    'The public URL of the service, used in `self` and in links. Default: from host and port. It is also the ' +
      'name of the built-in issuer, so changing it invalidates all tokens.',
  ),
  dataDir: row(
    'FLAGHOIST_DATA_DIR',
    './data',
    parseText,
    'The folder for the embedded database and its password, the encryption key if none is set, and mail if no mail ' +
      'server is set.',
  ),
  ...databaseSettings,
  environment: row(
    'FLAGHOIST_ENVIRONMENT',
    'test',
    parseEnvironment,
    'The kind of installation: `production` or `test`, which may also be called `dev` or `development`. Each has its ' +
      'own audience, and tokens of one are not valid in the other.',
  ),
  audienceProduction: row(
    'FLAGHOIST_AUDIENCE_PRODUCTION',
    'https://flaghoist',
    parseName,
    'The audience of tokens for production.',
  ),
  audienceTest: row(
    'FLAGHOIST_AUDIENCE_TEST',
    'https://flaghoist.dev',
    parseName,
    'The audience of tokens for test and development.',
  ),
  tokenLifetimeSeconds: row(
    'FLAGHOIST_TOKEN_LIFETIME_SECONDS',
    '86400',
    parseInteger(1, tokenLifetimeMaxSeconds),
    'How long a token is valid.',
  ),
  tokenRequestsPerMinute: row(
    'FLAGHOIST_TOKEN_REQUESTS_PER_MINUTE',
    '60',
    parseInteger(0, 10_000_000),
    'How many tokens per minute each client and each address may request before it gets 429. 0: no limit.',
  ),
  signingKeyDays: row(
    'FLAGHOIST_SIGNING_KEY_DAYS',
    '90',
    parseInteger(1, 3650),
    'After this many days, the key that signs tokens is replaced.',
  ),
  issuerUrl: optional(
    'FLAGHOIST_ISSUER_URL',
    parseIssuerUrl,
    'An external issuer (Auth0, Keycloak, Entra) whose tokens are accepted instead of those that the service issues.',
  ),
  ...consoleSettings,
  bootstrapClientId: optional(
    'FLAGHOIST_BOOTSTRAP_CLIENT_ID',
    parseClientId,
    'The id of the admin client that an empty installation creates. Default: a random id.',
  ),
  bootstrapClientSecret: secret(
    'FLAGHOIST_BOOTSTRAP_CLIENT_SECRET',
    parseGivenSecret,
    'The secret of the bootstrap client, at least 32 characters. Default: a random secret, printed once.',
  ),
  demoClientSecret: secret(
    'FLAGHOIST_DEMO_CLIENT_SECRET',
    parseName,
    'The secret of the client in `flaghoist demo --client-id`, for a remote service.',
  ),
  encryptionKey: secret(
    'FLAGHOIST_ENCRYPTION_KEY',
    parseEncryptionKey,
    'The key that encrypts stored secrets: 32 bytes in Base64 or hexadecimal. Default: created in the data ' +
      'folder. Processes that share a database need the same key.',
  ),
  modelFile: optional('FLAGHOIST_MODEL_FILE', parseText, 'A JSON file with object types and attributes of your own.'),
  referenceData: row(
    'FLAGHOIST_REFERENCE_DATA',
    'load',
    parseChoice('load', 'skip'),
    'Whether to load currencies, ports, bunker types and commodities at start. Only empty lists are filled.',
  ),
  ...requestSettings,
  roles: row(
    'FLAGHOIST_ROLES',
    'api,worker',
    parseSome('api', 'worker'),
    'What this process does: `api` serves requests; `worker` matches events and delivers notifications and ' +
      'mail. A process without `api` serves only `/health` and `/metrics`.',
  ),
  deactivatedKeepMs: row(
    'FLAGHOIST_DEACTIVATED_KEEP_DAYS',
    '14',
    parseDays(0, 3650),
    'How long a deactivated subscription continues to collect notifications.',
  ),
  deliveryAttempts: row(
    'FLAGHOIST_DELIVERY_ATTEMPTS',
    '5',
    parseInteger(1, 100),
    'After this many failed attempts, a notification counts as failed and its subscription is deactivated.',
  ),
  deliveryIntervalMs: row(
    'FLAGHOIST_DELIVERY_INTERVAL_SECONDS',
    '60',
    parseSeconds(0.01, 86_400),
    'The time from the start of a failed attempt to the start of the next one.',
  ),
  deliveryTimeoutMs: row(
    'FLAGHOIST_DELIVERY_TIMEOUT_SECONDS',
    '10',
    parseSeconds(0.1, 300),
    'How long a receiver may take to respond, from the DNS lookup to the last response header.',
  ),
  deliveriesInFlight: row(
    'FLAGHOIST_DELIVERIES_IN_FLIGHT',
    '256',
    parseInteger(1, 10_000),
    'How many notifications this process sends at the same time.',
  ),
  deliveriesInFlightPerSubscription: row(
    'FLAGHOIST_DELIVERIES_IN_FLIGHT_PER_SUBSCRIPTION',
    '10',
    parseInteger(1, 1_000),
    'How many of these go to one subscription. Fewer while connections to very many receivers are open.',
  ),
  bodyRetentionDays: row(
    'FLAGHOIST_BODY_RETENTION_DAYS',
    '30',
    parseInteger(1, 3650),
    'How long the bodies of notifications are kept. Failed notifications can be resent until then.',
  ),
  notificationRetentionDays: row(
    'FLAGHOIST_NOTIFICATION_RETENTION_DAYS',
    '90',
    parseInteger(1, 3650),
    'How long notifications, their attempts and their events are kept.',
  ),
  notificationBytesMax: row(
    'FLAGHOIST_NOTIFICATION_BYTES_MAX',
    '1048576',
    parseInteger(1024, 67_108_864),
    'The largest body of a notification. A notification with a larger body fails.',
  ),
  decisionEventsKept: row(
    'FLAGHOIST_DECISION_EVENTS_KEPT',
    '20000',
    parseInteger(0, 10_000_000),
    'For how many recent events the service keeps the reasons why notifications were suppressed.',
  ),
  wireNames: row(
    'FLAGHOIST_WIRE_NAMES',
    'service',
    parseChoice('service', 'dataloy'),
    'The names used in notifications and subscriptions. `dataloy`: those of the system that Flaghoist is ' +
      'compatible with.',
  ),
  selectionBytesMax: row(
    'FLAGHOIST_SELECTION_BYTES_MAX',
    '65536',
    parseInteger(1, 65_536),
    'The largest field selection (`json`) of a subscription, decoded.',
  ),
  expressionBytesMax: row(
    'FLAGHOIST_EXPRESSION_BYTES_MAX',
    '8192',
    parseInteger(1, 8_192),
    'The longest `expression` of a subscription.',
  ),
  scriptBytesMax: row(
    'FLAGHOIST_SCRIPT_BYTES_MAX',
    '262144',
    parseInteger(1, 262_144),
    'The longest body of an AlertScript.',
  ),
  sandboxThreads: row(
    'FLAGHOIST_SANDBOX_THREADS',
    '2',
    parseInteger(1, 64),
    'How many threads run scripts that usually finish in time, and how many run such stylesheets. One more thread of ' +
      'each kind runs all others.',
  ),
  allowedTargets: {
    ...optional(
      'FLAGHOIST_ALLOWED_TARGETS',
      parseCidrList,
      'Non-public addresses or CIDR ranges that notifications may be sent to, separated by commas. In production, ' +
        'plain `http` is allowed to them, too. Default: none in production, the loopback ranges in test. Empty: none.',
    ),
    isEmptyGiven: true,
  },
  dnsServers: optional(
    'FLAGHOIST_DNS_SERVERS',
    parseNameServers,
    'DNS servers to use instead of those of the machine: addresses, with or without a port, separated by commas.',
  ),
  ...egressSettings,
  ...mailSettings,
  ...alertSettings,
  requestsPerSecond: row(
    'FLAGHOIST_REQUESTS_PER_SECOND',
    '0',
    parseInteger(0, 1_000_000),
    'How many requests per second each address and each client may send before it gets 429. 0: no limit.',
  ),
  trustedProxies: row(
    'FLAGHOIST_TRUSTED_PROXIES',
    '',
    parseCidrList,
    'Addresses or CIDR ranges, separated by commas, of proxies whose forwarding headers are trusted.',
  ),
  metricsToken: secret('FLAGHOIST_METRICS_TOKEN', parseText, 'A Bearer token that `/metrics` requires.'),
  metricsSubscriptions: row(
    'FLAGHOIST_METRICS_SUBSCRIPTIONS',
    '10',
    parseInteger(0, 1_000),
    'How many subscriptions `/metrics` shows by their keys: those that fail most. 0: none.',
  ),
  logLevel: row(
    'FLAGHOIST_LOG_LEVEL',
    'info',
    parseChoice('debug', 'info', 'warn', 'error', 'silent'),
    'What is logged. `debug` has a line for every request.',
  ),
  logFormat: row(
    'FLAGHOIST_LOG_FORMAT',
    'auto',
    parseChoice('auto', 'json', 'text'),
    'JSON lines or plain text. `auto`: text on a terminal.',
  ),
  ...traceSettings,
  ...stopSettings,
};

type Table = typeof settingsTable;

export type Settings = { [Name in keyof Table]: Table[Name] extends SettingRow<infer T> ? T : never } & {
  /** The variables that the environment has, each with its text; a secret one with an empty text. */
  given: ReadonlyMap<string, string>;
};
