// Which subscription a dry run is of: a saved one, a saved one with changes, or one that nobody has saved. Bodies are
// checked as if they were saved, by the rules that saving has.

import type { Database } from '../database/database.ts';
import { ApiError } from '../errors.ts';
import { type JsonObject, type JsonValue, NumberLiteral, parseJson } from '../json/parse-json.ts';
import type { Model } from '../model/object-type.ts';
import type { ActionCall } from '../objects/action-call.ts';
import { type Caller, userSeen } from '../objects/caller.ts';
import { checkInteger, nameOf, type StoredValue } from '../objects/check-scalar.ts';
import type { Objects } from '../objects/objects.ts';
import { refuseViolations } from '../objects/refuse-change.ts';
import { type Recipe, readOutline, readStylesheet, withTexts, xslEditionOf } from '../preparing/recipe.ts';
import {
  readCondition,
  readScriptFields,
  readSelection,
  readSubscription,
  type Subscription,
} from '../subscriptions/subscription.ts';
import { parseSnapshot } from '../subscriptions/transaction-snapshot.ts';
import { selectTested, selectTriedScript, type TestedRow, type TriedScriptRow } from './dry-run-table.ts';

export interface Tested {
  subscription: Subscription;
  state: TestedRow['state'];
  /** Since when, in milliseconds since 1970; null where it would only come to it. */
  stateMs: number | null;
  channelType: string;
  url: string;
  recipe: Recipe;
}

export interface TestedParts {
  database: Database;
  objects: Pick<Objects, 'rehearse'>;
  /** As subscribers see them. */
  types: Model['types'];
}

const member = 'subscription';

export async function readTested(parts: TestedParts, call: ActionCall): Promise<Tested> {
  const row = await readTestedRow(parts, call, parseJson(call.given.get(member)!));
  const type = parts.types.get(row.object_type);
  if (!type) throw refusal(member, `there is no type ${row.object_type} any more.`);
  const recipe = await readTriedRecipe(parts, row, call.caller);
  const subscription = readSubscription(row, {
    type,
    selection: readSelection(row.json, type),
    condition: readCondition(row.expression, type),
    // The change is taken as if it was made now: no subscription came after it.
    snapshot: parseSnapshot(beforeAll),
    scriptFields: readScriptFields(row.script_fields, type),
  });
  const { channelType } = JSON.parse(row.channel_info) as { channelType: string };
  return { subscription, state: row.state, stateMs: row.state_ms, channelType, url: row.url, recipe };
}

async function readTestedRow(parts: TestedParts, call: ActionCall, given: JsonValue): Promise<TestedRow> {
  if (!(given instanceof Map)) return findSaved(parts, call, given, member);
  const key = given.get('key');
  const saved = key === undefined ? undefined : await findSaved(parts, call, key, `${member}.key`);
  const columns = await rehearse(parts, call, given, saved);
  return layOver(saved ?? unsaved, columns);
}

async function findSaved(
  { database }: TestedParts,
  { type, caller }: ActionCall,
  given: JsonValue,
  path: string,
): Promise<TestedRow> {
  const checked = checkInteger(given, 1, Number.MAX_SAFE_INTEGER);
  if (!checked.isGood) {
    const isNeither = path === member && !(given instanceof NumberLiteral);
    throw refusal(path, isNeither ? `must be a key or a subscription, not ${nameOf(given)}.` : checked.mistake);
  }
  const key = Number(checked.value);
  const [row] = (await database.run(selectTested(key), caller)) as unknown as TestedRow[];
  const onlyUser = userSeen(type, caller);
  if (!row || (onlyUser !== undefined && Number(row.user) !== onlyUser))
    throw refusal(path, `there is no ${type.name} with key ${key}.`);
  return row;
}

/** Mistakes are told where they stand in this request. */
async function rehearse(
  { objects }: TestedParts,
  { type, caller }: ActionCall,
  body: JsonObject,
  saved: TestedRow | undefined,
): Promise<ReadonlyMap<string, StoredValue>> {
  try {
    return await objects.rehearse({ type, key: saved && Number(saved.key), body, caller });
  } catch (error) {
    if (error instanceof ApiError && error.violations)
      refuseViolations(error.violations.map(({ path, message }) => ({ path: `${member}.${path}`, message })));
    throw error;
  }
}

const beforeAll = '0:0:';

const unsaved: TestedRow = {
  key: '0',
  user: '0',
  object_type: '',
  operation: 'U',
  object_key: null,
  state: 'ACTIVE',
  state_ms: null,
  only_main_object: false,
  not_send_my_changes: false,
  raw_object: false,
  json: null,
  expression: null,
  created_snapshot: beforeAll,
  alert_script_key: null,
  script_fields: null,
  has_stylesheet: false,
  url: '',
  channel_info: '{}',
  use_msg: false,
  xsl: null,
  script_parameter_values: null,
};

/** The script is taken as it is now, whatever the subscription was saved with. */
async function readTriedRecipe({ database, types }: TestedParts, row: TestedRow, caller: Caller): Promise<Recipe> {
  const statement = selectTriedScript(row.alert_script_key, row.user);
  const [found] = (await database.run(statement, caller)) as unknown as TriedScriptRow[];
  row.script_fields = found!.script_fields;
  row.has_stylesheet = row.xsl !== null;
  const { xsl } = row;
  const edition = xsl === null ? null : xslEditionOf(xsl);
  return withTexts(readOutline({ ...row, ...found!, version: '', xsl_edition: edition }, types), {
    body: found!.body ?? undefined,
    stylesheet: xsl === null ? undefined : readStylesheet(xsl, edition!),
  });
}

function layOver(row: TestedRow, columns: ReadonlyMap<string, StoredValue>): TestedRow {
  const said = Object.entries(row).map(([column, value]) => {
    if (column === 'state_ms' && columns.has('state')) return [column, null];
    const written = column === 'key' ? undefined : columns.get(column);
    if (written === undefined) return [column, value];
    return [column, typeof value === 'boolean' ? written === 'true' : written];
  });
  return Object.fromEntries(said) as TestedRow;
}

export function refusal(path: string, message: string): ApiError {
  return new ApiError('invalidBody', `${path}: ${message}`, { violations: [{ path, message }] });
}
