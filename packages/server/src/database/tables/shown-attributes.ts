// Fills the table of the attributes that `changes` lists, from which the database renders the changes of stored events
// (`changes` in migrations/0007-delivery.sql).

import { changeAttributes } from '../../model/change-attributes.ts';
import type { Model } from '../../model/object-type.ts';
import { subscriberModel } from '../../model/subscriber-model.ts';
import { quoteLiteral, systemSchema } from './identifiers.ts';

export function shownAttributes(model: Model): string[] {
  const types = [...subscriberModel(model).types.values()].filter(({ makesEvents }) => makesEvents);
  const rows = types.flatMap((type) =>
    changeAttributes(type).map((attribute, no) => {
      const { name, column, kind } = attribute;
      const target = attribute.kind === 'reference' ? quoteLiteral(attribute.target.name) : 'null';
      return `(${[type.name, name, column, kind].map(quoteLiteral).join(', ')}, ${target}, ${no})`;
    }),
  );
  const table = `${systemSchema}.shown_attribute`;
  const columns = 'object_type, attribute, column_name, kind, target_type, no';
  return [
    `delete from ${table}`,
    ...(rows.length > 0 ? [`insert into ${table} (${columns}) values\n${rows.join(',\n')}`] : []),
  ];
}
