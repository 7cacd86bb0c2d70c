// Reads the subscription of a dry run: a saved one, a saved one with changes, or an unsaved one. Bodies are checked by
// the same rules as when they are saved.

import type { Database } from '../../database/database.ts';
import { ApiError } from '../../errors.ts';
import { parseSnapshot } from '../../events/transaction-snapshot.ts';
import { type JsonObject, type JsonValue, NumberLiteral, parseJson } from '../../json/parse-json.ts';
import type { Model } from '../../model/object-type.ts';
import type { ActionCall } from '../../objects/action-call.ts';
import { onlyUserFor } from '../../objects/caller.ts';
import { checkKey, nameOf, type StoredValue } from '../../objects/check-scalar.ts';
import { rejectViolations } from '../../objects/object-errors.ts';
import type { Objects } from '../../objects/objects.ts';
import { readPlan, readStylesheet, type ShapingPlan, versionOfText } from '../../shape/shaping-plan.ts';
import type { RetryPolicy } from '../../subscriptions/channel/retry-policy.ts';
import { onlyStoredType } from '../../subscriptions/event-types.ts';
import {
  readCondition,
  readScriptFields,
  readSelection,
  readSubscription,
  readUntypedCondition,
  type Subscription,
} from '../../subscriptions/subscription.ts';
import { candidateTracer, type TraceCandidate } from '../verdict/traced-condition.ts';
import { selectTested, selectTriedScript, type TestedRow, type TriedScriptRow } from './dry-run-table.ts';
import { readUnsavedScript } from './unsaved-script.ts';

export interface Tested {
  subscription: Subscription;
  state: TestedRow['state'];
  /** When the subscription got its state, in milliseconds since 1970; null if that state is not saved. */
  stateMs: number | null;
  channelType: string;
  url: string;
  /** Null: as the settings say. */
  retryPolicy: RetryPolicy | null;
  plan: ShapingPlan;
  /** So that the evaluation of the expression can be explained. */
  traced: TraceCandidate;
}

export interface TestedParts {
  database: Database;
  objects: Pick<Objects, 'rehearse'>;
  /** The types that can be subscribed to, as subscribers see them. */
  types: Model['types'];
  scriptBytesMax: number;
}

const member = 'subscription';

export async function readTested(parts: TestedParts, call: ActionCall): Promise<Tested> {
  const row = await readTestedRow(parts, call, parseJson(call.given.get(member)!));
  const name = onlyStoredType(row.event_types);
  const type = name === undefined ? undefined : parts.types.get(name);
  if (name !== undefined && !type) throw invalid(member, `there is no type ${name} any more.`);
  const plan = await readTriedPlan(parts, row, call);
  const subscription = readSubscription(row, {
    eventTypes: plan.eventTypes,
    type,
    selection: type && readSelection(row.json, type),
    condition: type ? readCondition(row.expression, type, { types: parts.types }) : readUntypedCondition(row),
    // The change is treated as made now, so no subscription was created after it.
    snapshot: parseSnapshot(beforeAll),
    scriptFields: type && readScriptFields(row.script_fields, type),
  });
  const { channelType } = JSON.parse(row.channel_info) as { channelType: string };
  const { state, state_ms: stateMs, url } = row;
  const retryPolicy = row.retry_policy === null ? null : (JSON.parse(row.retry_policy) as RetryPolicy);
  const traced = candidateTracer(row.expression, type, { types: parts.types });
  return { subscription, state, stateMs, channelType, url, retryPolicy, plan, traced };
}

async function readTestedRow(parts: TestedParts, call: ActionCall, given: JsonValue): Promise<TestedRow> {
  if (!(given instanceof Map)) return findSaved(parts, call, given, member);
  const key = given.get('key');
  const saved = key === undefined ? undefined : await findSaved(parts, call, key, `${member}.key`);
  const columns = await rehearse(parts, call, given, saved);
  return withColumns(saved ?? unsaved, columns);
}

async function findSaved(
  { database }: TestedParts,
  { type, caller }: ActionCall,
  given: JsonValue,
  path: string,
): Promise<TestedRow> {
  const checked = checkKey(given);
  if (!checked.isGood) {
    const isNeither = path === member && !(given instanceof NumberLiteral);
    throw invalid(path, isNeither ? `must be a key or a subscription, not ${nameOf(given)}.` : checked.mistake);
  }
  const key = Number(checked.value);
  const [row] = (await database.run(selectTested(key), caller)) as unknown as TestedRow[];
  const onlyUser = onlyUserFor(type, caller);
  if (!row || (onlyUser !== undefined && Number(row.user) !== onlyUser))
    throw invalid(path, `there is no ${type.name} with key ${key}.`);
  return row;
}

/** Reports mistakes with their path in this request. */
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
      rejectViolations(error.violations.map(({ path, message }) => ({ path: `${member}.${path}`, message })));
    throw error;
  }
}

const beforeAll = '0:0:';

const unsaved: TestedRow = {
  key: '0',
  user: '0',
  event_types: '{}',
  state: 'ACTIVE',
  state_ms: null,
  only_main_object: false,
  not_send_my_changes: false,
  raw_object: false,
  include_changes: false,
  json: null,
  expression: null,
  created_snapshot: beforeAll,
  alert_script_key: null,
  script_fields: null,
  has_stylesheet: false,
  is_ordered: false,
  is_streamed: false,
  url: '',
  channel_info: '{}',
  use_msg: false,
  xsl: null,
  script_parameter_values: null,
  retry_policy: null,
};

/** Uses the current script, whatever it was when the subscription was saved, or the text that was sent. */
async function readTriedPlan(parts: TestedParts, row: TestedRow, call: ActionCall): Promise<ShapingPlan> {
  const { database, types, scriptBytesMax } = parts;
  const script = readUnsavedScript(call, row.alert_script_key, scriptBytesMax);
  const statement = selectTriedScript(row.alert_script_key, row.user);
  const [found] = (await database.run(statement, call.caller)) as unknown as TriedScriptRow[];
  row.script_fields = found!.script_fields;
  row.has_stylesheet = row.xsl !== null;
  const { xsl } = row;
  // The sandbox knows a script by its version.
  if (script !== undefined) found!.script_version = versionOfText(script);
  const version = xsl === null ? null : versionOfText(xsl);
  return readPlan({ ...row, ...found!, version: '', xsl_version: version }, types, {
    body: script ?? found!.body ?? undefined,
    stylesheet: xsl === null ? undefined : readStylesheet(xsl, version!),
  });
}

function withColumns(row: TestedRow, columns: ReadonlyMap<string, StoredValue>): TestedRow {
  const entries = Object.entries(row).map(([column, value]) => {
    if (column === 'state_ms' && columns.has('state')) return [column, null];
    const written = column === 'key' ? undefined : columns.get(column);
    if (written === undefined) return [column, value];
    return [column, typeof value === 'boolean' ? written === 'true' : written];
  });
  return Object.fromEntries(entries) as TestedRow;
}

export function invalid(path: string, message: string): ApiError {
  return new ApiError('invalidBody', `${path}: ${message}`, { violations: [{ path, message }] });
}
