// What a delivery says: parsed from its body, and from its headers where the body does not say it.

import type { Catalogue } from '../catalogue.ts';
import type { TypeName } from '../objects/attributes.ts';
import type { Whole } from '../objects/default-views.ts';
import type { MessageHeaders } from './message-headers.ts';

/** Created, updated, deleted. */
export type Operation = 'C' | 'U' | 'D';

/** What notifications and pings have in common. */
interface Delivery {
  /** The same for all attempts and replays: `52011-1100`. */
  id: string;
  /** Of two changes to the same object, the later one has the higher number. 0 for a ping. */
  sequence: number;
  /** RFC 3339 in UTC, with microseconds. Undefined if the body has no envelope. */
  occurredAt: string | undefined;
  /** 1, 2, … */
  attempt: number;
  /** On a replay, the key of its ResendJob. */
  replay: number | undefined;
  subscription: { key: number; self?: string; eventType?: string | null; name?: string | null };
  /** In a stream, the timestamp and the signature become those of the newest copy while the handler runs. */
  headers: MessageHeaders;
  /** Exactly as it was sent. */
  body: string;
}

/** A test message: no object has changed. */
export interface Ping extends Delivery {
  isTest: true;
}

/**
 * A change to an object. `Notification<'BunkerOrder', 'U'>` is an update of a bunker order; `C` is the catalogue of the
 * installation.
 */
export interface Notification<Type extends string = string, Routed extends Operation = Operation, C = Catalogue>
  extends Delivery {
  isTest: false;
  /**
   * The type of the resource and what happened to it: `BunkerOrder.U`. A change in the hierarchy of the resource is an
   * update of the resource.
   */
  event: `${Type}.${Routed}`;
  /** The type of the changed object, which may be in the hierarchy of the resource. */
  objectType: string;
  /** What happened to the changed object. */
  operation: Operation;
  /** The key of the changed object. */
  objectKey: number;
  /** The subscribed object. Undefined at run time if the body comes from a stylesheet or a script: see `body`. */
  resource: Type extends TypeName<C> ? Whole<Type, C> : unknown;
  /** If the subscription has `includeChanges`. */
  changes: readonly Change[] | undefined;
}

export interface Change {
  objectType: string;
  objectKey: number;
  attribute: string;
  old: unknown;
  new: unknown;
}

type Members = Readonly<Record<string, unknown>>;

interface ChangedObject {
  type: string;
  operation: Operation;
  key: number;
}

/** Throws if it does not say what has changed. */
export function parseNotification(headers: MessageHeaders, body: string): Notification | Ping {
  const content = parseObject(body);
  const isEnvelope = content !== undefined && 'resource' in content && 'subscription' in content;
  const delivery = readDelivery(headers, body, content);
  // No notification has such an id, whatever its body looks like.
  if (delivery.id.startsWith('ping-')) return { ...delivery, isTest: true };
  const changed = isEnvelope ? changedObject(content) : changedByHeader(headers);
  const resource = isEnvelope ? content.resource : content && objectAt(content.self) && content;
  const { eventType } = delivery.subscription;
  const shown = objectAt((resource as Members | null | undefined)?.self);
  const subscribedType = /^[A-Za-z]\w*(?=\.)/.exec(eventType ?? '')?.[0];
  const type = shown?.type ?? subscribedType ?? changed.type;
  const isItself = type === changed.type && (shown === undefined || shown.key === changed.key);
  return {
    ...delivery,
    isTest: false,
    event: `${type}.${isItself ? changed.operation : 'U'}`,
    objectType: changed.type,
    operation: changed.operation,
    objectKey: changed.key,
    resource: resource ?? undefined,
    changes: isEnvelope ? (content.changes as Change[] | undefined) : undefined,
  };
}

/** What is signed comes first: of the headers, only `webhook-id` and `webhook-timestamp` are. */
function readDelivery(headers: MessageHeaders, body: string, content: Members | undefined): Delivery {
  const { 'flaghoist-replay': replay, 'flaghoist-sequence': sequence } = headers;
  const isOurs = content !== undefined && typeof content.sequence === 'number' && 'subscription' in content;
  return {
    id: headers['webhook-id'] ?? '',
    sequence: isOurs ? (content.sequence as number) : Number(sequence ?? 0),
    occurredAt: isOurs ? (content.occurredAt as string) : undefined,
    attempt: Number(headers['flaghoist-attempt'] ?? 1),
    replay: replay === undefined ? undefined : Number(replay),
    subscription: isOurs
      ? (content.subscription as Delivery['subscription'])
      : { key: Number(headers['flaghoist-subscription']) },
    headers,
    body,
  };
}

/** With the original names of the system that Flaghoist is compatible with, if the installation uses them. */
function changedObject(envelope: Members): ChangedObject {
  const { objectType, eventType, serviceObject, dataloyObject } = envelope;
  return { type: String(objectType), operation: eventType as Operation, key: Number(serviceObject ?? dataloyObject) };
}

/** `PortCall.U.1042` */
function changedByHeader(headers: MessageHeaders): ChangedObject {
  const [, type, operation, key] = /^(\w+)\.([CUD])\.(\d+)$/.exec(headers['flaghoist-event'] ?? '') ?? [];
  if (type === undefined)
    throw new Error('Neither the body nor the header flaghoist-event says what has changed. Is it from Flaghoist?');
  return { type, operation: operation as Operation, key: Number(key) };
}

/** `https://flaghoist.example.com/ws/rest/BunkerOrder/1` */
function objectAt(self: unknown): { type: string; key: number } | undefined {
  const [, type, key] = (typeof self === 'string' && /\/ws\/rest\/(\w+)\/(\d+)$/.exec(self)) || [];
  return type === undefined ? undefined : { type, key: Number(key) };
}

function parseObject(text: string): Members | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Members) : undefined;
  } catch {
    return undefined;
  }
}
