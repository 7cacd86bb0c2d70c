// Normalises the body of a subscription before it is checked against the model. The event type and the channel can be
// written in several forms, and each becomes one.

import type { AddressChecks } from '../channels/registry/channel-registry.ts';
import type { Violation } from '../errors.ts';
import { joinPath } from '../json/join-path.ts';
import type { JsonObject, JsonValue } from '../json/parse-json.ts';
import type { Model, ObjectType } from '../model/object-type.ts';
import { type Mistake, violationsAt } from '../objects/mistake.ts';
import type { ExpectedObject } from '../objects/object-change.ts';
import type { LockedRow } from '../objects/type-rules.ts';
import { readChannel } from './channel.ts';
import { asNumber, compareEventType, eventTypeNames, readEventType } from './normalise-event-type.ts';

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
  body: JsonValue;
  violations: Violation[];
  /** The object that is subscribed to, if the event type has a key. */
  expected: ExpectedObject[];
}

/** Does not modify the body that was sent. */
export function normaliseSubscription(sent: SentSubscription, parts: NormaliseParts): NormalisedSubscription {
  const { type, body: given, path, current } = sent;
  // The check against the model rejects it.
  if (!(given instanceof Map)) return { body: given, violations: [], expected: [] };
  const body = new Map(given);
  const expected: ExpectedObject[] = [];
  for (const name of eventTypeNames) body.delete(name);
  const mistakes = [
    ...(current ? compareEventType(given, current) : setEventType(body, expected, given, path, parts)),
    ...setChannel(body, given, type, current, parts),
  ];
  return { body, violations: violationsAt(path, mistakes), expected };
}

function setEventType(
  body: JsonObject,
  expected: ExpectedObject[],
  given: JsonObject,
  path: string,
  { types }: NormaliseParts,
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

function setChannel(
  body: JsonObject,
  given: JsonObject,
  type: ObjectType,
  current: LockedRow | undefined,
  { addresses }: NormaliseParts,
): Mistake[] {
  // In an older API version, `channelInfo` is reported as an attribute that came later.
  const hasInfo = type.attributes.has('channelInfo');
  const members = hasInfo ? given : new Map([...given].filter(([name]) => name !== 'channelInfo'));
  const { said: channel, mistakes } = readChannel(members, current, addresses);
  if (isUnderstood(members.get('url'), current, (url) => typeof url === 'string')) body.delete('url');
  if (isUnderstood(members.get('channelInfo'), current, () => true)) body.delete('channelInfo');
  if (channel) {
    const { channelType, url } = channel;
    body.set('url', url);
    const info: [string, JsonValue][] = [
      ['channelType', channelType],
      ['URL', url],
    ];
    if (hasInfo) body.set('channelInfo', new Map(info));
  }
  return mistakes;
}

/** What stays in the body is rejected by a later check: a `url` that is not text, and null where a value must stay. */
function isUnderstood(
  value: JsonValue | undefined,
  current: LockedRow | undefined,
  isRead: (value: JsonValue) => boolean,
): boolean {
  return value === null ? !current : value !== undefined && isRead(value);
}
