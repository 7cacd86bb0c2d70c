// What authentication needs of the rest of the service.

import type { Clock } from '../clock.ts';
import type { Settings } from '../config/settings-table.ts';
import type { Database } from '../database/database.ts';
import type { Observe } from '../observe/observation.ts';
import type { Encryption } from './encryption/encryption.ts';

export interface AuthParts {
  settings: Settings;
  /** The public URL of the service, which is the name of the built-in issuer. */
  baseUrl: string;
  database: Database;
  /** A database with its own connection. */
  directoryDatabase: Database;
  encryption: Encryption;
  observe: Observe;
  clock: Clock;
}
