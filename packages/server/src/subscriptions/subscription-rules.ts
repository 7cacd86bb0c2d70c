// The rules of WebhookSubscription beyond the model: what happens when one is created, changed and deleted. They cover
// the forms of its event type and channel, the checks when it is saved, its secrets, and what its state allows.

import type { Encryption } from '../auth/encryption/encryption.ts';
import { createSecret } from '../channels/http/sign.ts';
import { addressChecksOf } from '../channels/registry/channel-registry.ts';
import { type Clock, renderDateTime } from '../clock.ts';
import type { Settings } from '../config/settings-table.ts';
import type { Transaction } from '../database/database.ts';
import { ApiError } from '../errors.ts';
import type { Model } from '../model/object-type.ts';
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
  SentChange,
  SentObjects,
  TypeRules,
} from '../objects/type-rules.ts';
import { checkAuthorization } from './channel/check-authorization.ts';
import { signingSecretPurpose, webhookPasswordPurpose } from './channel/secret-purposes.ts';
import {
  checkCredentials,
  checkSeveralTypes,
  checkShaping,
  type Sent,
  type SubscriptionLimits,
} from './check-subscription.ts';
import { onlyStoredType } from './event-types.ts';
import {
  type NormalisedSubscription,
  type NormaliseParts,
  normaliseSubscription,
  type SentSubscription,
} from './normalise-subscription.ts';
import type { NotificationQueue } from './notification-queue.ts';
import { type PrecheckSubscriptionsParts, precheckSubscriptions } from './precheck-subscriptions.ts';
import { replaceSubscriptions } from './replace-subscriptions.ts';
import { judge, type Move, type State, type Verdict } from './state-machine.ts';
import { lockSubscriptions } from './subscription-table.ts';
import { lockedScriptColumns, useScripts } from './use-scripts.ts';

export interface SubscriptionRulesParts extends Omit<PrecheckSubscriptionsParts, 'addresses'> {
  model: Model;
  encryption: Encryption;
  clock: Clock;
  queue: NotificationQueue;
}

/** The parts, with what is derived from the settings and the model. */
interface Checking extends SubscriptionRulesParts, NormaliseParts {
  limits: SubscriptionLimits;
}

export function subscriptionRulesOf(settings: Settings, parts: SubscriptionRulesParts): TypeRules {
  const { types } = subscriberModel(parts.model);
  const checking: Checking = { ...parts, types, settings, limits: settings, addresses: addressChecksOf(settings) };
  return {
    currentColumns,
    beforeTransaction: async (request) => ({
      prechecked: undefined,
      violations: await precheckSubscriptions(checking, request),
    }),
    create: (sent) => createSubscriptions(checking, sent),
    change: (sent) => changeSubscription(checking, sent),
    delete: (key, current, transaction) => checkDeletion(checking, key, current, transaction),
  };
}

const currentColumns = [
  'state',
  'event_types',
  'event_type',
  'object_type',
  'operation',
  'object_key',
  'url',
  'channel_info',
  'headers',
  'headers_sealed',
  'webhook_username',
  'webhook_password',
  'external_object_key',
  ...lockedScriptColumns,
];

function createSubscriptions(checking: Checking, { type, bodies, caller, check }: SentObjects): NewObjects {
  const objects = bodies.map(({ body, path }) =>
    completeSubscription(checking, checkNormalised(checking, { type, body, path, current: undefined }, check)),
  );
  const changes = objects.map(({ change }) => change);
  return {
    objects,
    inTransaction: async (transaction) => {
      const used = await useScripts(changes, transaction.run, checking.types);
      const replaced = await replaceSubscriptions(changes, transaction, caller, checking.queue);
      return {
        columns: changes.map((_, index) => new Map([...used.columns[index]!, ...(replaced.columns[index] ?? [])])),
        carriedOver: replaced.carriedOver,
        violations: [...used.violations, ...replaced.violations],
        statements: replaced.statements,
      };
    },
  };
}

function completeSubscription(checking: Checking, checked: NormalisedBody): NewObject {
  const { columns: sent } = checked.change;
  const mistakes = [...checkSent(checking, sent, sent.get('event_types')), ...checkAuthorization(sent)];
  if (sent.get('unsubscribed') === 'true')
    mistakes.push({ name: 'unsubscribed', message: 'cannot be true: a new subscription is active.' });
  const { change, violations } = withMistakes(checked, mistakes);
  const signingSecret = checked.signingSecret ?? (sent.get('replaces') == null ? createSecret() : undefined);
  const columns = new Map<string, StoredValue>([
    ...sealedSecret(checking, signingSecret),
    ['state_date', renderDateTime(checking.clock.now())],
    ...sealedPassword(checking, sent),
  ]);
  return {
    change: withColumns(change, columns),
    violations,
    shownOnce: new Map(signingSecret === undefined ? [] : [['signingSecret', signingSecret]]),
  };
}

/** Undefined: the secret of the subscription that is replaced is kept (`replace-subscriptions.ts`). */
function sealedSecret({ encryption }: Checking, signingSecret: string | undefined): [string, StoredValue][] {
  if (signingSecret === undefined) return [];
  return [['signing_secret_sealed', encryption.encrypt(signingSecretPurpose, signingSecret)]];
}

function changeSubscription(checking: Checking, { type, key, body, current, check }: SentChange): CheckedChange {
  const checked = checkNormalised(checking, { type, body, path: '', current }, check);
  const { columns: sent } = checked.change;
  const move = moveOf(sent);
  rejectByState(judge(current.get('state') as State, move));
  const { change, violations } = withMistakes(checked, [
    ...checkSent(checking, sent, current.get('event_types')),
    ...checkAuthorization(sent, current),
    ...compareFixedColumn({ name: 'externalObjectKey', column: 'external_object_key' }, sent, current),
  ]);
  const columns = new Map<string, StoredValue>([
    ...sealedPassword(checking, sent),
    ...(move === 'unsubscribe' ? unsubscribedColumns(checking) : []),
  ]);
  return {
    change: withColumns(change, columns),
    violations,
    statements: move === 'unsubscribe' ? [lockSubscriptions(), ...checking.queue.end(key, unsubscribedReason)] : [],
    inTransaction: async ({ run }) => {
      const used = await useScripts([change], run, checking.types, current);
      return { columns: used.columns[0], violations: used.violations };
    },
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
  if (verdict.kind === 'rejected') throw new ApiError(verdict.code, verdict.message);
}

type NormalisedBody = CheckedBody & Pick<NormalisedSubscription, 'signingSecret'>;

/** Normalises a body, then checks it against the model. */
function checkNormalised(checking: Checking, sent: SentSubscription, check: SentObjects['check']): NormalisedBody {
  const { body, columns, violations, expected, signingSecret } = normaliseSubscription(sent, checking);
  const checked = check(body, sent.path);
  const change = withColumns(checked.change, columns);
  change.expected.push(...expected);
  return { change, violations: [...violations, ...checked.violations], signingSecret };
}

function sealedPassword({ encryption }: Checking, sent: Sent): [string, StoredValue][] {
  const password = sent.get('webhook_password') ?? undefined;
  return password === undefined ? [] : [['webhook_password', encryption.encrypt(webhookPasswordPurpose, password)]];
}

/** `eventTypes`: as stored. Undefined if they are wrong. */
function checkSent({ types, limits }: Checking, sent: Sent, eventTypes: StoredValue | undefined): Mistake[] {
  const type = types.get(onlyStoredType(eventTypes) ?? '');
  const subscribed = { type, model: { types } };
  return [
    ...(eventTypes && !type ? checkSeveralTypes(sent) : checkShaping(sent, subscribed, limits)),
    ...checkCredentials(sent),
  ];
}
