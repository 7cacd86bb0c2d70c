// A reference to an object: its code and name as a link, as far as the service shows them.

import { Link } from '../routing/link.tsx';
import { Copied } from './copied.tsx';

export interface ObjectReference {
  key: number;
  [attribute: string]: unknown;
}

/** The object's code, name or number, and its key if it has none of them. */
export function nameOf(object: ObjectReference): string {
  const words = Object.entries(object)
    .filter(([name]) => !saysNothing.has(name))
    .map(([, value]) => wordOf(value))
    .filter((word) => word !== '');
  return words.length > 0 ? words.join(' · ') : String(object.key);
}

/** What every object has. */
const saysNothing = new Set([
  'key',
  'self',
  'createdDate',
  'modifiedDate',
  'createdById',
  'changedById',
  'externalObjectKey',
]);

function wordOf(value: unknown): string {
  if (value === null || value === undefined || Array.isArray(value)) return '';
  if (typeof value === 'object') return 'key' in value ? nameOf(value as ObjectReference) : String(value);
  return String(value);
}

export function ObjectLink({ type, object }: { type: string; object: ObjectReference }) {
  return <Link to={objectPath(type, object.key)}>{nameOf(object)}</Link>;
}

/** Types of the service itself have pages of their own. */
const ownPages: Readonly<Record<string, string>> = {
  WebhookSubscription: '/subscriptions',
  WebhookNotification: '/notifications',
  AlertScript: '/scripts',
  ApiUser: '/users',
  ResendJob: '/jobs',
};

export function objectPath(type: string, key: number): string {
  return `${ownPages[type] ?? `/objects/${type}`}/${key}`;
}

/** `Voyage 1007`, with the key to copy. */
export function ObjectName({ type, objectKey }: { type: string; objectKey: number }) {
  return (
    <span class="object-name">
      <Link to={objectPath(type, objectKey)}>{type}</Link> <Copied text={objectKey} label="Copy the key" />
    </span>
  );
}
