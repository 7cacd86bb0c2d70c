// The trigger that increments a revision with every change to a type whose objects processes keep in memory.

import type { ObjectType, Revision } from '../../model/object-type.ts';
import { systemSchema, tableOf } from './identifiers.ts';

/** Runs at COMMIT, so that the one row that all these transactions update is locked only briefly. */
export function revisionTrigger(type: ObjectType): string[] {
  if (!type.raises) return [];
  return [
    `create constraint trigger raise_revision after insert or update or delete on ${tableOf(type)} deferrable ` +
      `initially deferred for each row execute function ${systemSchema}.${functions[type.raises]}`,
  ];
}

/**
 * A change of access can also end sessions of the console. There may be very many subscriptions, so their revision also
 * records which of them have changed.
 */
const functions: Record<Revision, string> = {
  access: 'record_access_change()',
  subscriptions: 'record_subscription_change()',
  scripts: 'record_script_change()',
};
