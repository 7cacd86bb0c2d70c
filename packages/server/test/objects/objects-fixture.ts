// Objects of a small model of its own, written and read as the routes do it, without HTTP in between.

import pg from 'pg';
import { beforeAll } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { ApiError } from '../../src/errors.ts';
import { parseJson } from '../../src/json/parse-json.ts';
import { buildModel, type Declarations } from '../../src/model/build-model.ts';
import { narrowModel } from '../../src/model/narrow-model.ts';
import type { ObjectType } from '../../src/model/object-type.ts';
import { withIncluded } from '../../src/model/scopes.ts';
import { serviceCaller } from '../../src/objects/caller.ts';
import { type Objects, openObjects } from '../../src/objects/objects.ts';
import type { TypeRules } from '../../src/objects/type-rules.ts';
import { wholeView } from '../../src/query/view.ts';
import { type TestDatabase, useTestDatabase } from '../support/test-database.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into objects of every shape.
export type Shown = any;

export interface TestObjects {
  readonly database: TestDatabase;
  /** As a caller of this version sees it; without one, of the newest. */
  type(name: string, version?: string): ObjectType;
  /** `body`: JSON text, or what becomes it. */
  create(type: string | ObjectType, body: unknown): Promise<Shown>;
  change(type: string | ObjectType, key: number, body: unknown): Promise<Shown>;
}

/** To be called at the top of a test file. */
export function useObjects(declarations: Declarations, rules?: ReadonlyMap<string, TypeRules>): TestObjects {
  const database = useTestDatabase({ isMigrated: false });
  const model = buildModel(declarations);
  const caller = serviceCaller('test');
  let objects: Objects;
  beforeAll(async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await migrate(client, model);
    await client.end();
    objects = openObjects(database.connections, model, {
      restUrl: 'https://example.org/ws/rest',
      arrayObjectsMax: 1000,
      ...(rules ? { rules } : {}),
    });
  });

  const typeOf = (type: string | ObjectType) => (typeof type === 'string' ? model.types.get(type)! : type);
  const requestOf = (named: string | ObjectType, body: unknown) => {
    const type = typeOf(named);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return { type, body: parseJson(text), view: wholeView(type), caller };
  };
  return {
    database,
    type: (name, version) =>
      (version === undefined ? model : narrowModel(model, { version, scopes: withIncluded(['admin']) })).types.get(
        name,
      )!,
    create: async (type, body) =>
      JSON.parse((await objects.create({ ...requestOf(type, body), idempotency: undefined })).body),
    change: async (type, key, body) =>
      JSON.parse((await objects.change({ ...requestOf(type, body), key, ifMatch: undefined })).body.toString()),
  };
}

/** The mistakes that a caller is told, as `path: message`. */
export async function violationsOf(work: Promise<unknown>): Promise<string[]> {
  const error = await work.then(
    () => new Error('nothing was refused'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError) || error.code !== 'invalidBody') throw error;
  return (error.violations ?? []).map(({ path, message }) => `${path}: ${message}`);
}
