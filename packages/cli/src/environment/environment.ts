// The environment of the commands that talk to a service. The only file of the package that reads `process.env`.

import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Environment {
  /** FLAGHOIST_URL */
  url: string | undefined;
  /** FLAGHOIST_CLIENT_ID */
  clientId: string | undefined;
  /** FLAGHOIST_CLIENT_SECRET */
  clientSecret: string | undefined;
  /** Where `login` stores what it was given. */
  configFolder: string;
  /** NO_COLOR (no-color.org) */
  forbidsColours: boolean;
}

export function readEnvironment(variables: Record<string, string | undefined> = process.env): Environment {
  const read = (name: string) => variables[name] || undefined;
  return {
    url: read('FLAGHOIST_URL'),
    clientId: read('FLAGHOIST_CLIENT_ID'),
    clientSecret: read('FLAGHOIST_CLIENT_SECRET'),
    configFolder: join(read('XDG_CONFIG_HOME') ?? join(homedir(), '.config'), 'flaghoist'),
    forbidsColours: read('NO_COLOR') !== undefined,
  };
}
