// What holds for a WebhookSubscription beyond the model: how its event type and channel may be said, what is checked when it
// is saved, its secrets, and what its state allows.

import { randomBytes } from 'node:crypto';
import type { Encryption } from '../auth/encryption/encryption.ts';
import { createAddressPolicy } from '../channels/address-policy.ts';
import type { HostCheckParts } from '../channels/check-host.ts';
import { createHostResolver } from '../channels/host-resolver.ts';
import { type Clock, renderDateTime } from '../clock.ts';
import { allowedTargetsOf } from '../config/allowed-targets-of.ts';
import type { Settings } from '../config/settings-table.ts';
import type { Database, Transaction } from '../database/database.ts';
import { ApiError } from '../errors.ts';
import type { Operation } from '../events/change-event.ts';
import { joinPath } from '../json/join-path.ts';
import type { JsonObject, JsonValue } from '../json/parse-json.ts';
import type { Model, ObjectType } from '../model/object-type.ts';
import { selectIsNotified } from '../notifications/notification-table.ts';
import { failPending, noteEnded } from '../notifications/outcome-table.ts';
import type { StoredValue } from '../objects/check-scalar.ts';
import type { ObjectChange } from '../objects/object-change.ts';
import type { Completion, HeldChange, HeldRow, Normalised, NormalisedPlace, TypeRules } from '../objects/type-rules.ts';
import type { Stylesheets } from '../payload/stylesheet/stylesheets.ts';
import { accompanySubscriptions } from './accompany-subscriptions.ts';
import { readChannel, renderChannelInfo } from './channel.ts';
import type { AddressPolicy } from './check-address.ts';
import { checkScriptUse, heldScriptColumns } from './check-script-use.ts';
import { checkCredentials, checkShaping, type SubscriptionLimits } from './check-subscription.ts';
import { renderEventType } from './event-type.ts';
import { foreseeSubscriptions } from './foresee-subscriptions.ts';
import { holdScripts } from './hold-scripts.ts';
import { type KnownScripts, noScripts } from './known-scripts.ts';
import { type Mistake, violationsAt } from './mistake.ts';
import { asNumber, compareEventType, eventTypeNames, readEventType } from './normalise-event-type.ts';
import type { SandboxTurns } from './sandbox-turns.ts';
import { subscriberModel } from './shaping.ts';
import { judge, type Move, type State, type Verdict } from './state-machine.ts';
import { lockSubscriptions } from './subscription-table.ts';

export interface SubscriptionRulesParts {
  model: Model;
  encryption: Encryption;
  clock: Clock;
  addresses: AddressPolicy;
  limits: SubscriptionLimits;
  /** How names are looked up. */
  hosts: HostCheckParts;
  database: Pick<Database, 'run'>;
  stylesheets: Pick<Stylesheets, 'check'>;
  turns: SandboxTurns;
}

export function subscriptionRulesOf(
  settings: Settings,
  parts: Omit<SubscriptionRulesParts, 'limits' | 'addresses' | 'hosts'>,
): TypeRules {
  const { environment } = settings;
  const allowedTargets = allowedTargetsOf(settings);
  return subscriptionRules({
    ...parts,
    limits: settings,
    addresses: { environment, allowedTargets },
    hosts: {
      policy: createAddressPolicy(allowedTargets),
      resolver: createHostResolver({ dnsServers: settings.dnsServers }),
    },
  });
}

export const webhookPasswordPurpose = 'webhook password';
export const signingSecretPurpose = 'webhook signing secret';

export function subscriptionRules(parts: SubscriptionRulesParts): TypeRules {
  const { types } = subscriberModel(parts.model);
  return {
    ...rulesKnowing({ ...parts, types, scripts: noScripts }),
    foresee: async (request) => {
      const { violations, scripts } = await foreseeSubscriptions(request, parts);
      return { violations, rules: rulesKnowing({ ...parts, types, scripts }) };
    },
  };
}

function rulesKnowing(checking: Checking): TypeRules {
  return {
    normalise: (body, place) => normalise(checking, body, place),
    complete: (change) => complete(checking, change),
    accompany: (changes, transaction, caller) => accompanySubscriptions(changes, transaction, caller, checking),
    held: {
      columns: heldColumns,
      change: (change, present) => changeHeld(checking, change, present),
      examine: (change, present, { run }) => holdScripts([change], run, checking, present),
      delete: refuseDeletion,
    },
  };
}

interface Checking extends SubscriptionRulesParts {
  /** As subscribers see them. */
  types: Model['types'];
  /** Those that the request names. */
  scripts: KnownScripts;
}

const heldColumns = [
  'state',
  'event_type',
  'object_type',
  'operation',
  'object_key',
  'url',
  'channel_info',
  'external_object_key',
  ...heldScriptColumns,
];

function normalise(checking: Checking, given: JsonObject, { type, path, present }: NormalisedPlace): Normalised {
  const body = new Map(given);
  const normalised: Normalised = { body, violations: [], expected: [] };
  const tell = (mistakes: Mistake[]) => normalised.violations.push(...violationsAt(path, mistakes));
  for (const name of eventTypeNames) body.delete(name);
  if (present) tell(compareEventType(given, present));
  else tell(takeEventType(checking, given, normalised, path));
  // At an older version it is told as an attribute that came later.
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

/** What is left in the body is refused by its check: a `url` that is no text, and null where something must stay. */
function isUnderstood(
  value: JsonValue | undefined,
  present: HeldRow | undefined,
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

function changeHeld(checking: Checking, change: ObjectChange, present: HeldRow): HeldChange {
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
    statements: [
      lockSubscriptions(),
      failPending({
        subscriptionKey: key!,
        errorMessage: unsubscribedReason,
        withResends: true,
        rowsMax: failedAtOnce,
      }),
      noteEnded(key!, unsubscribedReason),
    ],
  };
}

/** So many are failed at once; the rest by and by. */
const failedAtOnce = 1_000;

const unsubscribedReason = 'Unsubscribed.';

function moveOf(sent: ReadonlyMap<string, StoredValue>): Move {
  const unsubscribed = sent.get('unsubscribed');
  if (unsubscribed === undefined) return 'change';
  return unsubscribed === 'true' ? 'unsubscribe' : 'stay';
}

function isOther(sent: ReadonlyMap<string, StoredValue>, present: HeldRow, column: string): boolean {
  return sent.has(column) && sent.get(column) !== present.get(column);
}

async function refuseDeletion(key: number, present: HeldRow, transaction: Transaction): Promise<void> {
  const [rows] = await transaction.run(selectIsNotified(key));
  const isNotified = rows?.[0]?.is_notified === true;
  refuseByState(judge(present.get('state') as State, isNotified ? 'deleteNotified' : 'delete'));
}

function refuseByState(verdict: Verdict): void {
  if (verdict.kind === 'refused') throw new ApiError(verdict.code, verdict.message);
}

/** What is stored along with what was sent, and what is stored instead of a secret. */
function columnsBeside(
  { encryption }: Checking,
  sent: ReadonlyMap<string, StoredValue>,
  present?: HeldRow,
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
