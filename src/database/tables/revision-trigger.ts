// The trigger that raises a revision with every change to a type whose objects processes hold in memory.

import type { ObjectType, Revision } from '../../model/object-type.ts';
import { quoteLiteral, systemSchema, tableOf } from '../identifiers.ts';

/** At COMMIT: so the one row that all of them change is locked for a moment only. */
export function revisionTrigger(type: ObjectType): string[] {
  if (!type.raises) return [];
  return [
    `create constraint trigger raise_revision after insert or update or delete on ${tableOf(type)} deferrable initially deferred for each row execute function ${systemSchema}.${functions[type.raises]}`,
  ];
}

/** Subscriptions may be very many: their revision also says which of them have changed. */
const functions: Record<Revision, string> = {
  access: `raise_revision(${quoteLiteral('access')})`,
  subscriptions: 'note_subscription()',
  scripts: 'note_script()',
};
