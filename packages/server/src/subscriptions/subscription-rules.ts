// The rules of WebhookSubscription beyond the model. They cover the forms of its event type and channel, the checks
// when it is saved, its secrets, and what its state allows.

import { randomBytes } from 'node:crypto';
import type { Stylesheets } from '@flaghoist/stylesheets';
import type { Encryption } from '../auth/encryption/encryption.ts';
import { type AddressChecks, addressChecksOf } from '../channels/registry/channel-registry.ts';
import { type Clock, renderDateTime } from '../clock.ts';
import type { Settings } from '../config/settings-table.ts';
import type { Database, Transaction } from '../database/database.ts';
import { ApiError } from '../errors.ts';
import type { Operation } from '../events/change-event.ts';
import { joinPath } from '../json/join-path.ts';
import type { JsonObject, JsonValue } from '../json/parse-json.ts';
import type { Model, ObjectType } from '../model/object-type.ts';
import { subscriberModel } from '../model/subscriber-model.ts';
import type { StoredValue } from '../objects/check-scalar.ts';
import { type Mistake, violationsAt } from '../objects/mistake.ts';
import type { ObjectChange } from '../objects/object-change.ts';
import type {
  Completion,
  LockedChange,
  LockedRow,
  Normalised,
  NormalisedPosition,
  TypeRules,
} from '../objects/type-rules.ts';
import { type KnownScripts, noScripts } from '../scripts/known-scripts.ts';
import type { SandboxTurns } from '../scripts/sandbox-turns.ts';
import { alongsideCreate } from './alongside-create.ts';
import { readChannel, renderChannelInfo } from './channel.ts';
import { checkScriptUse, lockedScriptColumns } from './check-script-use.ts';
import { checkCredentials, checkShaping, type SubscriptionLimits } from './check-subscription.ts';
import { renderEventType } from './event-type.ts';
import { lockScripts } from './lock-scripts.ts';
import { asNumber, compareEventType, eventTypeNames, readEventType } from './normalise-event-type.ts';
import type { NotificationQueue } from './notification-queue.ts';
import { precheckSubscriptions } from './precheck-subscriptions.ts';
import { judge, type Move, type State, type Verdict } from './state-machine.ts';
import { lockSubscriptions } from './subscription-table.ts';

export interface SubscriptionRulesParts {
  model: Model;
  encryption: Encryption;
  clock: Clock;
  addresses: AddressChecks;
  limits: SubscriptionLimits;
  database: Pick<Database, 'run'>;
  stylesheets: Pick<Stylesheets, 'check'>;
  turns: SandboxTurns;
  queue: NotificationQueue;
}

export function subscriptionRulesOf(
  settings: Settings,
  parts: Omit<SubscriptionRulesParts, 'limits' | 'addresses'>,
): TypeRules {
  return subscriptionRules({ ...parts, limits: settings, addresses: addressChecksOf(settings) });
}

export const webhookPasswordPurpose = 'webhook password';
export const signingSecretPurpose = 'webhook signing secret';

export function subscriptionRules(parts: SubscriptionRulesParts): TypeRules {
  const { types } = subscriberModel(parts.model);
  return {
    ...rulesKnowing({ ...parts, types, scripts: noScripts }),
    precheck: async (request) => {
      const { violations, scripts } = await precheckSubscriptions(request, parts);
      return { violations, rules: rulesKnowing({ ...parts, types, scripts }) };
    },
  };
}

function rulesKnowing(checking: Checking): TypeRules {
  return {
    normalise: (body, place) => normalise(checking, body, place),
    complete: (change) => complete(checking, change),
    alongsideCreate: (changes, transaction, caller) => alongsideCreate(changes, transaction, caller, checking),
    locked: {
      columns: lockedColumns,
      change: (change, present) => changeLocked(checking, change, present),
      examine: (change, present, { run }) => lockScripts([change], run, checking, present),
      delete: (key, present, transaction) => refuseDeletion(key, present, transaction, checking),
    },
  };
}

interface Checking extends SubscriptionRulesParts {
  /** The types as subscribers see them. */
  types: Model['types'];
  /** The scripts that the request names. */
  scripts: KnownScripts;
}

const lockedColumns = [
  'state',
  'event_type',
  'object_type',
  'operation',
  'object_key',
  'url',
  'channel_info',
  'external_object_key',
  ...lockedScriptColumns,
];

function normalise(checking: Checking, given: JsonObject, { type, path, present }: NormalisedPosition): Normalised {
  const body = new Map(given);
  const normalised: Normalised = { body, violations: [], expected: [] };
  const tell = (mistakes: Mistake[]) => normalised.violations.push(...violationsAt(path, mistakes));
  for (const name of eventTypeNames) body.delete(name);
  if (present) tell(compareEventType(given, present));
  else tell(takeEventType(checking, given, normalised, path));
  // In an older API version, `channelInfo` is reported as an attribute that came later.
  const hasInfo = type.attributes.has('channelInfo');
  const said = hasInfo ? given : new Map([...given].filter(([name]) => name !== 'channelInfo'));
  const channel = readChannel(said, present, checking.addresses);
  tell(channel.mistakes);
  if (isUnderstood(said.get('url'), present, (url) => typeof url === 'string')) body.delete('url');
  if (isUnderstood(said.get('channelInfo'), present, () => true)) body.delete('channelInfo');
  if (channel.said) {
    const { channelType, url } = channel.said;
    body.set('url', url);
    if (hasInfo)
      body.set(
        'channelInfo',
        new Map<string, JsonValue>([
          ['channelType', channelType],
          ['URL', url],
        ]),
      );
  }
  return normalised;
}

/** What stays in the body is refused by a later check: a `url` that is not text, and null where a value must stay. */
function isUnderstood(
  value: JsonValue | undefined,
  present: LockedRow | undefined,
  isRead: (value: JsonValue) => boolean,
): boolean {
  return value === null ? !present : value !== undefined && isRead(value);
}

function takeEventType(
  { types }: Checking,
  given: JsonObject,
  { body, expected }: Normalised,
  path: string,
): Mistake[] {
  const read = readEventType(given, types);
  if (Array.isArray(read)) return read;
  const { type, operation, objectKey } = read;
  body.set('objectType', type.name).set('operation', operation);
  if (objectKey) {
    body.set('objectKey', asNumber(objectKey.key));
    expected.push({ type, key: objectKey.key, path: joinPath(path, objectKey.name) });
  }
  return [];
}

function complete(checking: Checking, { columns: sent, path }: ObjectChange): Completion {
  const signingSecret = makeSigningSecret();
  const columns = new Map<string, StoredValue>([
    ['signing_secret_sealed', checking.encryption.encrypt(signingSecretPurpose, signingSecret)],
    ['state_date', renderDateTime(checking.clock.now())],
    ...columnsBeside(checking, sent),
  ]);
  const objectType = sent.get('object_type');
  if (objectType) columns.set('event_type', renderEventType(partsOf(sent)));
  const script = checkScriptUse(sent, undefined, typeNamed(checking, objectType), checking.scripts);
  for (const [column, value] of script.columns) columns.set(column, value);
  const mistakes = [
    ...checkSent(checking, sent, objectType),
    ...script.mistakes,
    ...(sent.get('unsubscribed') === 'true'
      ? [{ name: 'unsubscribed', message: 'cannot be true: a new subscription is active.' }]
      : []),
  ];
  return {
    columns,
    shownOnce: new Map([['signingSecret', signingSecret]]),
    violations: violationsAt(path, mistakes),
  };
}

export function makeSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

function partsOf(columns: ReadonlyMap<string, StoredValue>): Parameters<typeof renderEventType>[0] {
  const key = columns.get('object_key') ?? null;
  return {
    objectType: columns.get('object_type')!,
    operation: columns.get('operation') as Operation,
    objectKey: key === null ? null : Number(key),
  };
}

function changeLocked(checking: Checking, change: ObjectChange, present: LockedRow): LockedChange {
  const { columns: sent, path, key } = change;
  const move = moveOf(sent);
  refuseByState(judge(present.get('state') as State, move));
  const columns = new Map<string, StoredValue>(columnsBeside(checking, sent, present));
  const script = checkScriptUse(sent, present, typeNamed(checking, present.get('object_type')), checking.scripts);
  for (const [column, value] of script.columns) columns.set(column, value);
  const mistakes = [
    ...checkSent(checking, sent, present.get('object_type')),
    ...script.mistakes,
    ...(isOther(sent, present, 'external_object_key')
      ? [{ name: 'externalObjectKey', message: 'is set when the object is created and stays as it is.' }]
      : []),
  ];
  const violations = violationsAt(path, mistakes);
  if (move !== 'unsubscribe') return { columns, violations, statements: [] };
  columns.set('state', 'UNSUBSCRIBED');
  columns.set('state_date', renderDateTime(checking.clock.now()));
  columns.set('state_reason', unsubscribedReason);
  return {
    columns,
    violations,
    statements: [lockSubscriptions(), ...checking.queue.end(key!, unsubscribedReason)],
  };
}

const unsubscribedReason = 'Unsubscribed.';

function moveOf(sent: ReadonlyMap<string, StoredValue>): Move {
  const unsubscribed = sent.get('unsubscribed');
  if (unsubscribed === undefined) return 'change';
  return unsubscribed === 'true' ? 'unsubscribe' : 'stay';
}

function isOther(sent: ReadonlyMap<string, StoredValue>, present: LockedRow, column: string): boolean {
  return sent.has(column) && sent.get(column) !== present.get(column);
}

async function refuseDeletion(
  key: number,
  present: LockedRow,
  transaction: Transaction,
  { queue }: Checking,
): Promise<void> {
  const [rows] = await transaction.run(queue.selectIsNotified(key));
  const isNotified = rows?.[0]?.is_notified === true;
  refuseByState(judge(present.get('state') as State, isNotified ? 'deleteNotified' : 'delete'));
}

function refuseByState(verdict: Verdict): void {
  if (verdict.kind === 'refused') throw new ApiError(verdict.code, verdict.message);
}

/** Columns stored in addition to what was sent, or in place of a secret. */
function columnsBeside(
  { encryption }: Checking,
  sent: ReadonlyMap<string, StoredValue>,
  present?: LockedRow,
): [string, StoredValue][] {
  const channelInfo = renderChannelInfo(sent, present);
  const password = sent.get('webhook_password') ?? undefined;
  return [
    ...(channelInfo === undefined ? [] : ([['channel_info', channelInfo]] as [string, StoredValue][])),
    ...(password === undefined
      ? []
      : ([['webhook_password', encryption.encrypt(webhookPasswordPurpose, password)]] as [string, StoredValue][])),
  ];
}

function checkSent(
  checking: Checking,
  sent: ReadonlyMap<string, StoredValue>,
  objectType: StoredValue | undefined,
): Mistake[] {
  return [...checkShaping(sent, typeNamed(checking, objectType), checking.limits), ...checkCredentials(sent)];
}

function typeNamed({ types }: Checking, name: StoredValue | undefined): ObjectType | undefined {
  return name ? types.get(name) : undefined;
}
