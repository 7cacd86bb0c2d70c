// The trigger that raises a revision with every change to a type whose objects processes hold in memory.

import type { ObjectType } from '../../model/object-type.ts';
import { quoteLiteral, systemSchema, tableOf } from '../identifiers.ts';

/** At COMMIT: so the one row that all of them change is locked for a moment only. */
export function revisionTrigger(type: ObjectType): string[] {
  if (!type.raises) return [];
  return [
    `create constraint trigger raise_revision after insert or update or delete on ${tableOf(type)} deferrable initially deferred for each row execute function ${systemSchema}.raise_revision(${quoteLiteral(type.raises)})`,
  ];
}
