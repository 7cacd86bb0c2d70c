// The functions behind the triggers of a type's table. They run with the rights of their owner: whoever may change a table
// writes events and is checked by doing so, without any right on other tables. Nobody may attach them to a table of his own.

import type { ObjectType } from '../../model/object-type.ts';
import { quoteName, systemSchema } from '../identifiers.ts';
import { shorten } from './constraint-names.ts';

export interface TriggerFunction {
  /** As `execute function` wants it. */
  call: string;
  statements: string[];
}

export function triggerFunction(type: ObjectType, purpose: string, body: string): TriggerFunction {
  const call = `${systemSchema}.${quoteName(shorten(`${type.table}__${purpose}`))}()`;
  return {
    call,
    statements: [
      `create or replace function ${call} returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$\nbegin\n${body}\nend $body$`,
      `revoke all on function ${call} from public`,
    ],
  };
}
