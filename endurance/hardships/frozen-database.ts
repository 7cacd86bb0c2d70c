// PostgreSQL is frozen: the postmaster and all its processes get SIGSTOP, and SIGCONT at the end. Once with a separate
// server, which the service reaches by DATABASE_URL, and once with the embedded one.

import { freezeServer } from './freeze-server.ts';
import type { Hardship, Means } from './hardship.ts';

const answers: Pick<Hardship, 'allowed' | 'shows'> = {
  allowed: [503],
  shows: [
    { asker: 'write', status: 503 },
    { asker: 'ready', status: 503 },
  ],
};

export const frozenDatabase: Hardship = {
  name: 'frozen-database',
  meaning: 'All processes of a PostgreSQL server at DATABASE_URL are stopped (SIGSTOP).',
  ...answers,
  prepare: () => prepare('separate'),
};

export const frozenEmbedded: Hardship = {
  name: 'frozen-embedded-database',
  meaning:
    'All processes of the embedded PostgreSQL are stopped (SIGSTOP). A stop of the service lets them go on and end.',
  ...answers,
  prepare: () => prepare('embedded'),
};

function prepare(database: Means['database']): ReturnType<Hardship['prepare']> {
  if (process.platform !== 'linux') return { kind: 'skipped', reason: 'only Linux tells the processes of a server' };
  let thaw: (() => void) | undefined;
  return {
    kind: 'means',
    database,
    begin({ databaseDir }) {
      thaw = freezeServer(databaseDir);
    },
    end: () => thaw?.(),
  };
}
