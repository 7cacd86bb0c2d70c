// Migrations of an empty database to small models of ships.

import pg from 'pg';
import { beforeEach } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { buildModel, type Declarations } from '../../src/model/build-model.ts';
import { type TestDatabase, useTestDatabase } from '../support/test-database.ts';

export const ship: Declarations = {
  Ship: {
    attributes: {
      name: { kind: 'text', maxLength: 10 },
      state: { kind: 'code', values: ['A', 'B'] },
      size: { kind: 'decimal' },
    },
  },
};

/** The ship's attributes changed or added; null removes one. */
export function shipWith(changes: Record<string, unknown>): Declarations {
  const attributes = Object.fromEntries(
    Object.entries({ ...ship.Ship!.attributes, ...changes }).filter(([, details]) => details !== null),
  );
  return { Ship: { attributes } } as Declarations;
}

export interface TestMigrations extends TestDatabase {
  /** Answers what was done. */
  migrateTo(declarations: Declarations): Promise<string[]>;
}

/** Each test begins with an empty database. To be called at the top of a test file. */
export function useMigrations(): TestMigrations {
  const database = useTestDatabase({ isMigrated: false });
  let client: pg.Client;
  beforeEach(async () => {
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(
      'drop schema if exists flaghoist, flaghoist_service, flaghoist_partition cascade; drop schema if exists ' +
        'flaghoist_system cascade',
    );
    return () => client.end();
  });
  return { ...database, migrateTo: (declarations) => migrate(client, buildModel(declarations)) };
}
