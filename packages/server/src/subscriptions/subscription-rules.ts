// The rules of WebhookSubscription beyond the model: what happens when one is created, changed and deleted. They cover
// the forms of its event type and channel, the checks when it is saved, its secrets, and what its state allows.

import { randomBytes } from 'node:crypto';
import type { Stylesheets } from '@flaghoist/stylesheets';
import type { Encryption } from '../auth/encryption/encryption.ts';
import { type AddressChecks, addressChecksOf } from '../channels/registry/channel-registry.ts';
import { type Clock, renderDateTime } from '../clock.ts';
import type { Settings } from '../config/settings-table.ts';
import type { Database, Transaction } from '../database/database.ts';
import { ApiError } from '../errors.ts';
import type { Operation } from '../events/change-event.ts';
import type { Model, ObjectType } from '../model/object-type.ts';
import { subscriberModel } from '../model/subscriber-model.ts';
import type { CheckedBody } from '../objects/check-body.ts';
import type { StoredValue } from '../objects/check-scalar.ts';
import { compareFixedColumn } from '../objects/compare-sent-back.ts';
import { type Mistake, withMistakes } from '../objects/mistake.ts';
import { withColumns } from '../objects/object-change.ts';

import type {
  CheckedChange,
  LockedRow,
  NewObject,
  NewObjects,
  PlacedBody,
  PrecheckRequest,
  PrecheckResult,
  SentChange,
  SentObjects,
  TypeRules,
} from '../objects/type-rules.ts';
import { type KnownScripts, loadScripts } from '../scripts/known-scripts.ts';
import type { SandboxTurns } from '../scripts/sandbox-turns.ts';
import { renderChannelInfo } from './channel.ts';
import { checkScriptUse, lockedScriptColumns } from './check-script-use.ts';
import { checkCredentials, checkShaping, type Sent, type SubscriptionLimits } from './check-subscription.ts';
import { renderEventType } from './event-type.ts';
import { lockScripts } from './lock-scripts.ts';
import { normaliseSubscription, type SentSubscription } from './normalise-subscription.ts';
import type { NotificationQueue } from './notification-queue.ts';
import { precheckAddresses } from './precheck-addresses.ts';
import { precheckStylesheets } from './precheck-stylesheets.ts';
import { replaceSubscriptions } from './replace-subscriptions.ts';
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

/** How a request is checked: the parts, and the types as subscribers see them. */
interface Checking extends SubscriptionRulesParts {
  types: Model['types'];
}

export function subscriptionRules(parts: SubscriptionRulesParts): TypeRules<KnownScripts> {
  const checking: Checking = { ...parts, types: subscriberModel(parts.model).types };
  return {
    currentColumns,
    beforeTransaction: (request) => precheckSubscriptions(checking, request),
    create: (sent) => createSubscriptions(checking, sent),
    change: (sent) => changeSubscription(checking, sent),
    delete: (key, current, transaction) => checkDeletion(checking, key, current, transaction),
  };
}

const currentColumns = [
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

/** Asks name servers, the stylesheet engine and the database, all at once. */
async function precheckSubscriptions(
  { addresses, database, ...parts }: Checking,
  { bodies, caller }: PrecheckRequest,
): Promise<PrecheckResult<KnownScripts>> {
  const [addressMistakes, stylesheetMistakes, scripts] = await Promise.all([
    precheckAddresses(bodies, addresses),
    precheckStylesheets(bodies, caller.userKey, parts),
    loadScripts(scriptNamesIn(bodies), caller, database),
  ]);
  return { prechecked: scripts, violations: [...addressMistakes, ...stylesheetMistakes] };
}

/** A script that a subscription keeps is not named. It is checked when it is locked. */
function scriptNamesIn(bodies: readonly PlacedBody[]): string[] {
  return bodies.flatMap(({ body }) => {
    const name = body instanceof Map ? body.get('dlpAlertScript') : undefined;
    return typeof name === 'string' ? [name] : [];
  });
}

function createSubscriptions(checking: Checking, sent: SentObjects<KnownScripts>): NewObjects {
  const { type, bodies, caller, prechecked: scripts, check } = sent;
  const objects = bodies.map(({ body, path }) => {
    const checked = checkNormalised(checking, { type, body, path, current: undefined }, check);
    return completeSubscription(checking, checked, scripts);
  });
  const changes = objects.map(({ change }) => change);
  return {
    objects,
    inTransaction: async (transaction) => {
      const violations = await lockScripts(changes, transaction.run, { types: checking.types, scripts });
      const replacement = await replaceSubscriptions(changes, transaction, caller, checking.queue);
      return { ...replacement, violations: [...violations, ...replacement.violations] };
    },
  };
}

function completeSubscription(checking: Checking, checked: CheckedBody, scripts: KnownScripts): NewObject {
  const { columns: sent } = checked.change;
  const objectType = sent.get('object_type');
  const script = checkScriptUse(sent, undefined, typeNamed(checking, objectType), scripts);
  const mistakes = [
    ...checkSent(checking, sent, objectType),
    ...script.mistakes,
    ...(sent.get('unsubscribed') === 'true'
      ? [{ name: 'unsubscribed', message: 'cannot be true: a new subscription is active.' }]
      : []),
  ];
  const signingSecret = makeSigningSecret();
  const columns = new Map<string, StoredValue>([
    ['signing_secret_sealed', checking.encryption.encrypt(signingSecretPurpose, signingSecret)],
    ['state_date', renderDateTime(checking.clock.now())],
    ...columnsBeside(checking, sent),
    ...(objectType ? [['event_type', renderEventType(partsOf(sent))] as const] : []),
    ...script.columns,
  ]);
  const { change, violations } = withMistakes(checked, mistakes);
  return {
    change: withColumns(change, columns),
    violations,
    shownOnce: new Map([['signingSecret', signingSecret]]),
  };
}

function partsOf(columns: Sent): Parameters<typeof renderEventType>[0] {
  const key = columns.get('object_key') ?? null;
  return {
    objectType: columns.get('object_type')!,
    operation: columns.get('operation') as Operation,
    objectKey: key === null ? null : Number(key),
  };
}

function changeSubscription(checking: Checking, sentChange: SentChange<KnownScripts>): CheckedChange {
  const { type, key, body, current, prechecked: scripts, check } = sentChange;
  const checked = checkNormalised(checking, { type, body, path: '', current }, check);
  const { columns: sent } = checked.change;
  const move = moveOf(sent);
  rejectByState(judge(current.get('state') as State, move));
  const objectType = current.get('object_type');
  const script = checkScriptUse(sent, current, typeNamed(checking, objectType), scripts);
  const mistakes = [
    ...checkSent(checking, sent, objectType),
    ...script.mistakes,
    ...compareFixedColumn({ name: 'externalObjectKey', column: 'external_object_key' }, sent, current),
  ];
  const columns = new Map<string, StoredValue>([
    ...columnsBeside(checking, sent, current),
    ...script.columns,
    ...(move === 'unsubscribe' ? unsubscribedColumns(checking) : []),
  ]);
  const change = withColumns(checked.change, columns);
  return {
    change,
    violations: withMistakes(checked, mistakes).violations,
    statements: move === 'unsubscribe' ? [lockSubscriptions(), ...checking.queue.end(key, unsubscribedReason)] : [],
    inTransaction: ({ run }) => lockScripts([change], run, { types: checking.types, scripts }, current),
  };
}

const unsubscribedReason = 'Unsubscribed.';

function unsubscribedColumns({ clock }: Checking): [string, StoredValue][] {
  return [
    ['state', 'UNSUBSCRIBED'],
    ['state_date', renderDateTime(clock.now())],
    ['state_reason', unsubscribedReason],
  ];
}

function moveOf(sent: Sent): Move {
  const unsubscribed = sent.get('unsubscribed');
  if (unsubscribed === undefined) return 'change';
  return unsubscribed === 'true' ? 'unsubscribe' : 'stay';
}

async function checkDeletion(
  { queue }: Checking,
  key: number,
  current: LockedRow,
  { run }: Transaction,
): Promise<void> {
  const [rows] = await run(queue.selectIsNotified(key));
  const isNotified = rows?.[0]?.is_notified === true;
  rejectByState(judge(current.get('state') as State, isNotified ? 'deleteNotified' : 'delete'));
}

function rejectByState(verdict: Verdict): void {
  if (verdict.kind === 'refused') throw new ApiError(verdict.code, verdict.message);
}

/** Normalises a body, then checks it against the model. */
function checkNormalised(checking: Checking, sent: SentSubscription, check: SentObjects['check']): CheckedBody {
  const { body, violations, expected } = normaliseSubscription(sent, checking);
  const checked = check(body, sent.path);
  checked.change.expected.push(...expected);
  return { change: checked.change, violations: [...violations, ...checked.violations] };
}

/** Columns stored in addition to what was sent, or in place of a secret. */
function columnsBeside({ encryption }: Checking, sent: Sent, current?: LockedRow): [string, StoredValue][] {
  const channelInfo = renderChannelInfo(sent, current);
  const password = sent.get('webhook_password') ?? undefined;
  return [
    ...(channelInfo === undefined ? [] : ([['channel_info', channelInfo]] as [string, StoredValue][])),
    ...(password === undefined
      ? []
      : ([['webhook_password', encryption.encrypt(webhookPasswordPurpose, password)]] as [string, StoredValue][])),
  ];
}

function checkSent(checking: Checking, sent: Sent, objectType: StoredValue | undefined): Mistake[] {
  return [...checkShaping(sent, typeNamed(checking, objectType), checking.limits), ...checkCredentials(sent)];
}

function typeNamed({ types }: Checking, name: StoredValue | undefined): ObjectType | undefined {
  return name ? types.get(name) : undefined;
}

export const webhookPasswordPurpose = 'webhook password';
export const signingSecretPurpose = 'webhook signing secret';

export function makeSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
