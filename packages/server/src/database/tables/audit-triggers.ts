// The triggers that write AuditLog. The database records every change and its author in the same transaction, also
// changes by SQL. A record cannot be changed afterwards. Values of hidden columns and files are never recorded.

import { baseAttributeNames } from '../../model/build-model.ts';
import type { ObjectType } from '../../model/object-type.ts';
import { createTrigger } from './create-trigger.ts';
import { quoteLiteral, quoteName, serviceSchema, systemSchema, tableOf } from './identifiers.ts';
import type { StoredAttribute } from './object-table-ddl.ts';

export function auditTriggers(type: ObjectType): string[] {
  if (type.name === 'AuditLog') return appendOnlyTrigger(type);
  if (!type.isAudited) return [];
  return [
    ...auditTrigger(type, 'insert', 'CREATE'),
    // A change to hidden columns alone, such as a new secret, is recorded too, without the values.
    ...auditTrigger(type, 'update', 'CHANGE'),
    ...auditTrigger(type, 'delete', 'DELETE'),
  ];
}

/** Only the owner of the database can remove old records, by disabling the trigger. */
function appendOnlyTrigger(type: ObjectType): string[] {
  const body = `  raise exception 'AuditLog is append-only' using errcode = 'insufficient_privilege';`;
  const head = `create trigger append_only before update or delete on ${tableOf(type)} for each statement`;
  return createTrigger(type, 'append_only', body, head);
}

type Operation = 'insert' | 'update' | 'delete';

function auditTrigger(type: ObjectType, operation: Operation, action: string): string[] {
  const head = `create trigger audit_${operation} after ${operation} on ${tableOf(type)} for each row`;
  return createTrigger(type, `audit_${operation}`, auditBody(type, operation, action), head);
}

function auditBody(type: ObjectType, operation: Operation, action: string): string {
  const row = operation === 'delete' ? 'old' : 'new';
  const name = type.code ? `${row}.${quoteName(type.code.column)}` : 'null';
  const user = `(select u.user_code from ${serviceSchema}.api_user u where u.key = ${systemSchema}.acting_user())`;
  return `  insert into ${serviceSchema}.audit_log (action, object_type, object_key, object_name, user_code,
  client_id, changes)
  values (${quoteLiteral(action)}, ${quoteLiteral(type.name)}, ${row}.key, ${name}, ${user},
    left(${systemSchema}.acting_client(), 128), ${changesOf(type, operation)});
  return null;`;
}

/** `{"name": ["before", "after"]}`, with null for a value that did not exist before, or no longer exists. */
function changesOf(type: ObjectType, operation: Operation): string {
  const rows = auditedAttributes(type).map((attribute) => {
    const before = operation === 'insert' ? 'null' : valueIn('old', attribute);
    const after = operation === 'delete' ? 'null' : valueIn('new', attribute);
    return `(${quoteLiteral(attribute.name)}, ${before}::jsonb, ${after}::jsonb)`;
  });
  return (
    "(select coalesce(jsonb_object_agg(c.attribute, jsonb_build_array(c.before, c.after)), '{}') from (values " +
    `${rows.join(', ')}) as c(attribute, before, after) where c.before is distinct from c.after)`
  );
}

/** Of the base attributes, only `externalObjectKey` is recorded: the service sets all others. */
function auditedAttributes(type: ObjectType): StoredAttribute[] {
  return [...type.scalars.filter(({ isComputed }) => !isComputed), ...type.references].filter(
    ({ name, kind }) => kind !== 'binary' && (name === 'externalObjectKey' || !baseAttributeNames.includes(name)),
  );
}

function valueIn(row: 'old' | 'new', { column, kind }: StoredAttribute): string {
  const value = `${row}.${quoteName(column)}`;
  return `to_jsonb(${kind === 'decimal' ? `trim_scale(${value})` : value})`;
}
