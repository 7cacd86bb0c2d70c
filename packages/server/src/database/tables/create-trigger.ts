// Creates triggers with their functions. The functions run with the privileges of their owner: a user who may change a
// table thus writes events and is checked without privileges on other tables. No user may attach them elsewhere.

import type { ObjectType } from '../../model/object-type.ts';
import { shorten } from './constraint-names.ts';
import { quoteName, systemSchema } from './identifiers.ts';

/** `purpose`: names the function. `head`: the text of CREATE TRIGGER before `execute function`. */
export function createTrigger(type: ObjectType, purpose: string, body: string, head: string): string[] {
  const call = `${systemSchema}.${quoteName(shorten(`${type.table}__${purpose}`))}()`;
  return [
    `create or replace function ${call} returns trigger language plpgsql security definer set search_path = ` +
      `pg_catalog, pg_temp as $body$\nbegin\n${body}\nend $body$`,
    `revoke all on function ${call} from public`,
    `${head} execute function ${call}`,
  ];
}
