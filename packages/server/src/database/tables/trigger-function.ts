// The functions of the triggers on a type's table. They run with the privileges of their owner. A user who may change a
// table thus writes events and is checked without privileges on other tables. No user may attach them elsewhere.

import type { ObjectType } from '../../model/object-type.ts';
import { shorten } from './constraint-names.ts';
import { quoteName, systemSchema } from './identifiers.ts';

export interface TriggerFunction {
  /** The text after `execute function`. */
  call: string;
  statements: string[];
}

export function triggerFunction(type: ObjectType, purpose: string, body: string): TriggerFunction {
  const call = `${systemSchema}.${quoteName(shorten(`${type.table}__${purpose}`))}()`;
  return {
    call,
    statements: [
      `create or replace function ${call} returns trigger language plpgsql security definer set search_path = ` +
        `pg_catalog, pg_temp as $body$\nbegin\n${body}\nend $body$`,
      `revoke all on function ${call} from public`,
    ],
  };
}
