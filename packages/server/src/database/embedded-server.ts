// Runs the embedded PostgreSQL for the service and its commands. Sets the name of its role and database, and converts
// its errors to operator errors that name the setting to change.

import {
  EmbeddedServer,
  EmbeddedServerError,
  type EmbeddedServerOptions,
  findRunningServer,
  type ReachedServer,
  type ReachServerOptions,
  reachServer,
} from '@flaghoist/embedded-postgres';
import { OperatorError } from '../errors.ts';
import type { Observe } from '../observe/observation.ts';

export const embeddedName = 'flaghoist';

type Observed<Options> = Omit<Options, 'name' | 'onEvent'> & { observe: Observe };

export function startEmbedded({ observe, ...options }: Observed<EmbeddedServerOptions>): Promise<EmbeddedServer> {
  return forOperator(EmbeddedServer.start({ ...options, name: embeddedName, onEvent: observe }));
}

/** Connects to the server of the running service, or starts one for the duration of a command. */
export function reachEmbedded({ observe, ...options }: Observed<ReachServerOptions>): Promise<ReachedServer> {
  return forOperator(reachServer({ ...options, name: embeddedName, onEvent: observe }));
}

/** The URL of the server that the running service uses; undefined if none runs. */
export function findEmbedded(dataDir: string): Promise<string | undefined> {
  return forOperator(findRunningServer({ dataDir, name: embeddedName }));
}

async function forOperator<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof EmbeddedServerError)) throw error;
    throw new OperatorError(withSettings(error.message), { cause: error });
  }
}

/** The first line is the explanation. The output of PostgreSQL may follow. */
function withSettings(message: string): string {
  const [explanation = '', ...output] = message.split('\n');
  const sentences = remedySentences
    .filter(({ remedy }) => explanation.includes(remedy))
    .map(({ sentence }) => sentence);
  return [[explanation, ...sentences].join(' '), ...output].join('\n');
}

const remedySentences = [
  {
    remedy: 'Make a backup',
    sentence: '`flaghoist backup <file>` makes the backup, and `flaghoist restore <file>` restores it.',
  },
  { remedy: 'data folder', sentence: 'FLAGHOIST_DATA_DIR sets the data folder.' },
  { remedy: 'separate PostgreSQL server', sentence: 'DATABASE_URL names a separate PostgreSQL server (15 to 18).' },
];
