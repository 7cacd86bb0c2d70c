// Generates the functions that find objects by what people know them by, and the other way round: a number that the
// service assigns, a unique text such as a code, or `externalObjectKey`. Only for types whose changes can be subscribed
// to, which every reader may see.

import type { Model, ObjectType, ScalarAttribute } from '../../model/object-type.ts';
import { quoteName, systemSchema, tableOf } from './identifiers.ts';

export function objectCodes(model: Model): string[] {
  const types = [...model.types.values()].filter(({ makesEvents }) => makesEvents);
  return [keysOfCode(types), codeOf(types)];
}

function keysOfCode(types: readonly ObjectType[]): string {
  const select = (type: ObjectType, { column }: ScalarAttribute, value: string) =>
    `select "key" from ${tableOf(type)} where ${quoteName(column)} = ${value}`;
  const all = types.flatMap((type) => codesOf(type).map((attribute) => ({ type, attribute })));
  const texts = all.filter(({ attribute }) => attribute.kind === 'text');
  const numbers = all.filter(({ attribute }) => attribute.kind === 'integer');
  const byText = texts.map(({ type, attribute }) => select(type, attribute, '$1')).join('\n  union all ');
  const byNumber = numbers.map(({ type, attribute }) => select(type, attribute, '$1::int')).join('\n  union all ');
  return functionText('keys_of_code(code text) returns setof bigint', [
    ...(texts.length > 0 ? [`return query ${byText};`] : []),
    ...(numbers.length > 0 ? [`if $1 ~ '^[0-9]{1,9}$' then return query ${byNumber}; end if;`] : []),
  ]);
}

/** Keys are unique over all types. */
function codeOf(types: readonly ObjectType[]): string {
  const branches = types.map((type) => {
    const values = codesOf(type).map(({ column }) => `${quoteName(column)}::text`);
    return `select coalesce(${values.join(', ')}) from ${tableOf(type)} where "key" = $1`;
  });
  const found = branches.length > 0 ? `(${branches.join('\n  union all ')} limit 1)` : 'null::text';
  return functionText('code_of(object_key bigint) returns text', [`return ${found};`]);
}

/** Their own codes first. */
function codesOf({ scalars }: ObjectType): ScalarAttribute[] {
  const own = scalars.filter(({ isUnique, kind, name }) => isUnique && kind !== 'key' && name !== 'externalObjectKey');
  return [...own, ...scalars.filter(({ name }) => name === 'externalObjectKey')];
}

function functionText(head: string, statements: readonly string[]): string {
  const body = statements.map((statement) => `  ${statement}`).join('\n');
  return `create or replace function ${systemSchema}.${head} language plpgsql stable parallel safe as $body$
begin
${body}
end $body$`;
}
