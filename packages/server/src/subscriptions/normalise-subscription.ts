// Normalises the body of a subscription before it is checked against the model. The event type, the channel and some
// other attributes can be written in several forms, and each becomes one.

import type { AddressChecks } from '../channels/registry/channel-registry.ts';
import type { Violation } from '../errors.ts';
import { joinPath } from '../json/join-path.ts';
import type { JsonObject, JsonValue } from '../json/parse-json.ts';
import type { Model, ObjectType } from '../model/object-type.ts';
import type { StoredValue } from '../objects/check-scalar.ts';
import { violationsAt } from '../objects/mistake.ts';
import type { ExpectedObject } from '../objects/object-change.ts';
import type { LockedRow } from '../objects/type-rules.ts';
import { type ReadChannel, readChannel } from './channel.ts';
import { renderEventType } from './event-type.ts';
import { compareEventType, eventTypeNames, readEventType, type StatedEventType } from './normalise-event-type.ts';
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

export interface NormaliseParts {
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
  /** The object that is subscribed to, if the event type has a key. */
  expected: ExpectedObject[];
  /** The secret that a new subscription brings along. */
  signingSecret: string | undefined;
}

/** Does not modify the body that was sent. */
export function normaliseSubscription(sent: SentSubscription, parts: NormaliseParts): NormalisedSubscription {
  const { type, body, path, current } = sent;
  // The check against the model rejects it.
  if (!(body instanceof Map))
    return { body, columns: new Map(), violations: [], expected: [], signingSecret: undefined };
  const { eventType, mistakes } = current
    ? { eventType: undefined, mistakes: compareEventType(body, current) }
    : readEventType(body, parts.types);
  // In an older API version, `channelInfo` is reported as an attribute that came later.
  const channelInfo = type.attributes.has('channelInfo') ? body.get('channelInfo') : undefined;
  const read = readChannel({ url: body.get('url'), channelInfo }, current, parts.addresses);
  const secret = takeSigningSecret(remainingBody(body, read, channelInfo, current), type, current !== undefined);
  const converted = convertForms(secret.body, type);
  return {
    body: converted.body,
    signingSecret: secret.signingSecret,
    columns: new Map([...eventTypeColumns(eventType), ...channelColumns(read), ...converted.columns]),
    violations: violationsAt(path, [...mistakes, ...read.mistakes, ...secret.mistakes, ...converted.mistakes]),
    expected: eventType?.object
      ? [{ type: eventType.type, key: eventType.object.key, path: joinPath(path, eventType.object.name) }]
      : [],
  };
}

/** What the check against the model rejects stays: a `url` that is not text, and null where a value must stay. */
function remainingBody(
  body: JsonObject,
  { channel }: ReadChannel,
  channelInfo: JsonValue | undefined,
  current: LockedRow | undefined,
): JsonObject {
  const remaining = new Map(body);
  const url = body.get('url');
  for (const name of eventTypeNames) remaining.delete(name);
  if (typeof url === 'string' || (url === null && !current)) remaining.delete('url');
  if (channelInfo !== undefined && (channelInfo !== null || !current)) remaining.delete('channelInfo');
  // For the check of its length.
  if (channel) remaining.set('url', channel.url);
  return remaining;
}

function eventTypeColumns(eventType: StatedEventType | undefined): [string, StoredValue][] {
  if (!eventType) return [];
  const { type, operation, object } = eventType;
  const objectKey = object?.key ?? null;
  return [
    ['event_type', renderEventType({ objectType: type.name, operation, objectKey })],
    ['object_type', type.name],
    ['operation', operation],
    ['object_key', objectKey === null ? null : String(objectKey)],
  ];
}

function channelColumns({ channel }: ReadChannel): [string, StoredValue][] {
  if (!channel) return [];
  return [['channel_info', JSON.stringify({ channelType: channel.channelType, URL: channel.url })]];
}
