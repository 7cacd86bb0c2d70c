// The triggers that enforce the rules of a table for all writers, including plain SQL. They stamp changes, reject key
// changes and TRUNCATE, assign sequence numbers, and check minimum collection sizes and object keys.

import type {
  CollectionAttribute,
  Model,
  ObjectType,
  ReferenceAttribute,
  ScalarAttribute,
} from '../../model/object-type.ts';
import { constraintName, shorten } from './constraint-names.ts';
import { createTrigger } from './create-trigger.ts';
import { quoteLiteral, quoteName, systemSchema, tableOf } from './identifiers.ts';

export function guardTriggers(model: Model, type: ObjectType): string[] {
  const table = tableOf(type);
  return [
    ...(type.isKeptInDays ? [] : rowTriggers(type)),
    `create trigger reject_truncate before truncate on ${table} for each statement execute function ` +
      `${systemSchema}.reject_truncate()`,
    ...(type.sequence && type.owner ? sequenceTrigger(type, type.sequence, type.owner) : []),
    ...type.collections
      .filter(({ minItems }) => minItems > 0)
      .flatMap((collection) => minItemsTriggers(type, collection)),
    ...type.scalars
      .filter(({ isObjectKey }) => isObjectKey)
      .flatMap((attribute) => objectKeyTrigger(model, type, attribute)),
  ];
}

/** Not for a log with a partition per day: only the service writes it, very often, and its statements set the dates. */
function rowTriggers(type: ObjectType): string[] {
  const table = tableOf(type);
  return [
    `create trigger a_reject_key_change before update of "key" on ${table} for each row when (old.key <> ` +
      `new.key) execute function ${systemSchema}.reject_key_change()`,
    // Runs last of all triggers before the update, including an operator's own. It skips an update that changes
    // nothing, so that the triggers after the update need not compare.
    `create trigger z_stamp_change before update on ${table} for ` +
      `each row execute function ${systemSchema}.stamp_change()`,
  ];
}

/**
 * Assigns the last number among the siblings plus 1. After the largest integer, the key alone orders them. The owner is
 * locked, so that two concurrent inserts get two numbers.
 */
function sequenceTrigger(type: ObjectType, sequence: ScalarAttribute, owner: ReferenceAttribute): string[] {
  const [column, by] = [quoteName(sequence.column), quoteName(owner.column)];
  const body = `  perform 1 from ${tableOf(owner.target)} where key = new.${by} for no key update;
  select least(coalesce(max(s.${column}), 0)::bigint + 1, 2147483647) into new.${column} from ${tableOf(type)} s
    where s.${by} = new.${by};
  return new;`;
  const when = `before insert on ${tableOf(type)} for each row when (new.${column} is null)`;
  return rowTrigger(type, 'next_in_sequence', body, when);
}

/** Checked at COMMIT under a lock on the owner. If two transactions remove the last two elements, the second fails. */
function minItemsTriggers(owner: ObjectType, { of, ownerColumn, name, minItems }: CollectionAttribute): string[] {
  const column = quoteName(ownerColumn);
  const check = (key: string) => `  perform 1 from ${tableOf(owner)} where key = ${key} for no key update;
  if found and (select count(*) from (select 1 from ${tableOf(of)} where ${column} = ${key}
    limit ${minItems}) c) < ${minItems} then
    raise exception 'at least ${minItems} of % must be there', ${quoteLiteral(name)}
      using errcode = 'check_violation', constraint = ${quoteLiteral(constraintName(owner, name, 'min'))},
        detail = ${key}::text;
  end if;
  return null;`;
  const isMoved = `old.${column} is distinct from new.${column}`;
  return [
    ...constraintTrigger(owner, `min_${name}`, check('new.key'), 'insert', 'true'),
    ...constraintTrigger(of, `leave_${name}_delete`, check(`old.${column}`), 'delete', 'true'),
    ...constraintTrigger(of, `leave_${name}_update`, check(`old.${column}`), 'update', isMoved),
  ];
}

/** The object may be of any type, so a foreign key cannot check it. The lock prevents a concurrent delete. */
function objectKeyTrigger(model: Model, type: ObjectType, attribute: ScalarAttribute): string[] {
  const column = quoteName(attribute.column);
  const lookups = [...model.types.values()]
    .filter(({ makesEvents }) => makesEvents)
    .map(
      (target) =>
        `  perform 1 from ${tableOf(target)} where key = new.${column} for key share;\n  if found then return ` +
        'new; end if;',
    );
  const constraint = quoteLiteral(constraintName(type, attribute.column, 'fkey'));
  const body = `${lookups.join('\n')}
  raise exception 'there is no object with key %', new.${column}
    using errcode = 'foreign_key_violation', constraint = ${constraint}, detail = new.${column}::text;`;
  const condition = `for each row when (new.${column} is not null)`;
  return rowTrigger(
    type,
    'object_exists',
    body,
    `before insert or update of ${column} on ${tableOf(type)} ${condition}`,
  );
}

function rowTrigger(type: ObjectType, purpose: string, body: string, when: string): string[] {
  return createTrigger(type, purpose, body, `create trigger ${quoteName(shorten(purpose))} ${when}`);
}

function constraintTrigger(type: ObjectType, purpose: string, body: string, operation: string, when: string): string[] {
  const head =
    `create constraint trigger ${quoteName(shorten(purpose))} after ${operation} on ${tableOf(type)} deferrable ` +
    `initially deferred for each row when (${when})`;
  return createTrigger(type, purpose, body, head);
}
