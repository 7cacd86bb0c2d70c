// Every setting, as one table: its environment variable, default, parser and one sentence. The type of the settings, the
// loader, `flaghoist settings` and `docs/reference/settings.md` are all made from it.

import {
  type Parse,
  parseBaseUrl,
  parseChoice,
  parseCidrList,
  parseDatabaseUrl,
  parseInteger,
  parseSeconds,
  parseText,
} from './parse-setting.ts';

export interface SettingRow<T> {
  variable: string;
  /** As it would stand in the environment; undefined where there is none and the setting may stay unset. */
  fallback: string | undefined;
  parse: Parse<T>;
  sentence: string;
}

export const settingsTable = {
  host: row('FLAGHOIST_HOST', '127.0.0.1', parseText, 'The address to listen on.'),
  port: row('FLAGHOIST_PORT', '8080', parseInteger(0, 65_535), 'The port to listen on; 0 takes any free one.'),
  baseUrl: optional(
    'FLAGHOIST_BASE_URL',
    parseBaseUrl,
    'The public URL of the service, used in `self` and in links; made from host and port if not set.',
  ),
  dataDir: row('FLAGHOIST_DATA_DIR', './data', parseText, 'The folder of the embedded database and its password.'),
  databaseUrl: optional(
    'DATABASE_URL',
    parseDatabaseUrl,
    'A PostgreSQL server (15 or later); without it the service runs its own in the data folder.',
  ),
  databaseConnections: row(
    'FLAGHOIST_DATABASE_CONNECTIONS',
    '16',
    parseInteger(2, 500),
    'How many connections to the database are open at most.',
  ),
  statementTimeoutMs: row(
    'FLAGHOIST_STATEMENT_TIMEOUT_SECONDS',
    '30',
    parseSeconds(0.1, 3600),
    'How long one statement may take before the request is answered with 503.',
  ),
  modelFile: optional('FLAGHOIST_MODEL_FILE', parseText, 'A JSON file with object types and attributes of your own.'),
  referenceData: row(
    'FLAGHOIST_REFERENCE_DATA',
    'load',
    parseChoice('load', 'skip'),
    'Whether the lists of currencies, ports, bunker types and commodities are filled at start, each if it is empty.',
  ),
  bodyBytesMax: row(
    'FLAGHOIST_BODY_BYTES_MAX',
    '1048576',
    parseInteger(1024, 268_435_456),
    'The largest request body.',
  ),
  fileBodyBytesMax: row(
    'FLAGHOIST_FILE_BODY_BYTES_MAX',
    '16777216',
    parseInteger(1024, 268_435_456),
    'The largest request body of types that hold files (Remarks, Attachment).',
  ),
  bodyDepthMax: row('FLAGHOIST_BODY_DEPTH_MAX', '64', parseInteger(4, 1000), 'How deep a request body may nest.'),
  filtersMax: row('FLAGHOIST_FILTERS_MAX', '100', parseInteger(1, 10_000), 'How many filters one request may have.'),
  arrayObjectsMax: row(
    'FLAGHOIST_ARRAY_OBJECTS_MAX',
    '1000',
    parseInteger(1, 100_000),
    'How many objects an array in a body may have: an array POST, or a collection.',
  ),
  requestsPerSecond: row(
    'FLAGHOIST_REQUESTS_PER_SECOND',
    '0',
    parseInteger(0, 1_000_000),
    'How many requests a second one address may send before it gets 429; 0 sets no limit.',
  ),
  trustedProxies: row(
    'FLAGHOIST_TRUSTED_PROXIES',
    '',
    parseCidrList,
    'Addresses or CIDR ranges, separated by commas, of proxies whose forwarding headers count.',
  ),
  metricsToken: optional(
    'FLAGHOIST_METRICS_TOKEN',
    parseText,
    'A token that `/metrics` then asks for, as a Bearer token.',
  ),
  logLevel: row(
    'FLAGHOIST_LOG_LEVEL',
    'info',
    parseChoice('debug', 'info', 'warn', 'error', 'silent'),
    'What is logged; `debug` has a line for every request.',
  ),
  logFormat: row(
    'FLAGHOIST_LOG_FORMAT',
    'auto',
    parseChoice('auto', 'json', 'text'),
    'JSON lines, or text for people; `auto` is text on a terminal.',
  ),
  stopTimeoutMs: row(
    'FLAGHOIST_STOP_TIMEOUT_SECONDS',
    '20',
    parseSeconds(0, 600),
    'How long a stop waits for requests that are being served.',
  ),
};

type Table = typeof settingsTable;

export type Settings = { [Name in keyof Table]: Table[Name] extends SettingRow<infer T> ? T : never };

function row<T>(variable: string, fallback: string, parse: Parse<T>, sentence: string): SettingRow<T> {
  return { variable, fallback, parse, sentence };
}

function optional<T>(variable: string, parse: Parse<T>, sentence: string): SettingRow<T | undefined> {
  return { variable, fallback: undefined, parse, sentence };
}
