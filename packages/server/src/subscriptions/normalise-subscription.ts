// Normalises the body of a subscription before it is checked against the model. The event type, the channel and some
// other attributes can be written in several forms, and each becomes one.

import { channelTypes } from '../channel-types.ts';
import type { AddressChecks } from '../channels/registry/channel-registry.ts';
import type { Violation } from '../errors.ts';
import { joinPath } from '../json/join-path.ts';
import type { JsonObject, JsonValue } from '../json/parse-json.ts';
import type { Model, ObjectType } from '../model/object-type.ts';
import type { StoredValue } from '../objects/check-scalar.ts';
import { violationsAt } from '../objects/mistake.ts';
import type { ExpectedObject } from '../objects/object-change.ts';
import { storedList } from '../objects/stored-list.ts';
import type { LockedRow } from '../objects/type-rules.ts';
import { type ReadChannel, readChannel, renderChannelInfo } from './channel/read-channel.ts';
import { type ReadDeliveryParts, readDelivery } from './channel/read-delivery.ts';
import { channelSecretPurpose } from './channel/secret-purposes.ts';
import { isPlain, renderEventType } from './event-type.ts';
import { compareEventTypes, eventTypeNames, readEventTypes, type StatedEventTypes } from './normalise-event-types.ts';
import { convertForms } from './other-forms.ts';
import { takeSigningSecret } from './signing-secret.ts';

export interface SentSubscription {
  /** WebhookSubscription as the caller sees it. */
  type: ObjectType;
  body: JsonValue;
  /** The path of the subscription in the request. */
  path: string;
  /** Undefined: a new subscription. */
  current: LockedRow | undefined;
}

export interface NormaliseParts extends ReadDeliveryParts {
  /** The types as subscribers see them. */
  types: Model['types'];
  addresses: AddressChecks;
}

export interface NormalisedSubscription {
  /** What is left to check against the model. */
  body: JsonValue;
  /** The columns of what was normalised. */
  columns: Map<string, StoredValue>;
  violations: Violation[];
  /** The objects that are subscribed to by key. */
  expected: ExpectedObject[];
  /** The secret that a new subscription brings along. */
  signingSecret: string | undefined;
}

const notAnObject = { columns: new Map(), violations: [], expected: [], signingSecret: undefined };

/** Does not modify the body that was sent. */
export function normaliseSubscription(sent: SentSubscription, parts: NormaliseParts): NormalisedSubscription {
  const { type, body, path, current } = sent;
  // The check against the model rejects it.
  if (!(body instanceof Map)) return { body, ...notAnObject };
  const { stated, mistakes } = current
    ? { stated: undefined, mistakes: compareEventTypes(body, current) }
    : readEventTypes(body, parts.types);
  // In an older API version, `channelInfo` is reported as an attribute that came later.
  const channelInfo = type.attributes.has('channelInfo') ? body.get('channelInfo') : undefined;
  const read = readChannel({ url: body.get('url'), channelInfo }, current, parts.addresses);
  const delivery = readDelivery(body, read, current, parts);
  const remaining = remainingBody(body, read, channelInfo, current);
  for (const name of delivery.read) remaining.delete(name);
  const secret = takeSigningSecret(remaining, type, current !== undefined);
  const converted = convertForms(secret.body, type);
  return {
    body: converted.body,
    signingSecret: secret.signingSecret,
    columns: new Map([
      ...eventTypeColumns(stated),
      ...channelColumns(read, parts),
      ...delivery.columns,
      ...converted.columns,
    ]),
    violations: violationsAt(path, [
      ...mistakes,
      ...read.mistakes,
      ...delivery.mistakes,
      ...secret.mistakes,
      ...converted.mistakes,
    ]),
    expected: (stated?.objects ?? []).map(({ type, key, name }) => ({ type, key, path: joinPath(path, name) })),
  };
}

/** What the check against the model rejects stays: a `url` that is not text, and a `channelInfo` that is cleared. */
function remainingBody(
  body: JsonObject,
  { channel }: ReadChannel,
  channelInfo: JsonValue | undefined,
  current: LockedRow | undefined,
): JsonObject {
  const remaining = new Map(body);
  const url = body.get('url');
  for (const name of eventTypeNames) remaining.delete(name);
  if (typeof url === 'string' || url === null) remaining.delete('url');
  if (channelInfo !== undefined && (channelInfo !== null || !current)) remaining.delete('channelInfo');
  // For the check of its length.
  if (channel && channel.url !== null) remaining.set('url', channel.url);
  return remaining;
}

/** The columns of one event type are null if there are several, or a wildcard. */
function eventTypeColumns(stated: StatedEventTypes | undefined): [string, StoredValue][] {
  if (!stated) return [];
  const texts = stated.eventTypes.map(renderEventType);
  const [first, ...others] = stated.eventTypes;
  const only = first && others.length === 0 && isPlain(first) ? first : undefined;
  const key = only?.objectKey ?? null;
  return [
    ['event_types', storedList(texts)],
    ['event_type', only ? renderEventType(only) : null],
    ['object_type', only?.objectType ?? null],
    ['operation', only?.operation ?? null],
    ['object_key', key === null ? null : String(key)],
  ];
}

function channelColumns({ channel, secret }: ReadChannel, { encryption }: NormaliseParts): [string, StoredValue][] {
  if (!channel) return [];
  const sealed = secret && encryption.encrypt(channelSecretPurpose, secret);
  return [
    ['channel_info', renderChannelInfo(channel)],
    ['is_streamed', String(channelTypes[channel.channelType].isStreamed)],
    ...(channel.url === null ? [['url', null] as [string, null]] : []),
    ...(sealed === undefined ? [] : [['channel_secret_sealed', sealed] as [string, StoredValue]]),
  ];
}
