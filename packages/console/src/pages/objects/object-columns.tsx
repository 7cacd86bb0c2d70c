// The columns of a list of objects: those that were chosen, or those that a person recognises an object by.

import { AttributeValue, numberKinds } from '../../elements/attribute-value.tsx';
import type { ObjectReference } from '../../elements/object-link.tsx';
import type { Column } from '../../elements/table.tsx';
import type { Model, ModelAttribute, ModelType } from '../../model/model.ts';
import { Link } from '../../routing/link.tsx';
import { SortButton } from './sort-button.tsx';

export type ListedObject = ObjectReference;

const defaultColumns = 6;

/** Collections and JSON are too long for a column. */
export function listableAttributes(type: ModelType): ModelAttribute[] {
  return type.attributes.filter(
    ({ name, kind }) => !['collection', 'json', 'self', 'binary'].includes(kind) && name !== 'key',
  );
}

/** `chosen`: names with commas between, from the address. */
export function shownAttributes(type: ModelType, chosen: string | null): ModelAttribute[] {
  const all = listableAttributes(type);
  const names = chosen?.split(',');
  if (names) return all.filter(({ name }) => names.includes(name));
  const byName = type.shownBy.flatMap((name) => all.find((attribute) => attribute.name === name) ?? []);
  const rest = all.filter((attribute) => !byName.includes(attribute) && !isBookkeeping(attribute.name));
  return [...byName, ...rest].slice(0, defaultColumns);
}

function isBookkeeping(name: string): boolean {
  return ['createdDate', 'modifiedDate', 'createdById', 'changedById', 'externalObjectKey'].includes(name);
}

/** A reference shows what identifies its object to a person. */
export function fieldsOf(attributes: readonly ModelAttribute[], model: Model): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ name, reference }) => {
      const shownBy = reference === undefined ? [] : (model.byName.get(reference)?.shownBy ?? []);
      return [name, shownBy.length > 0 ? Object.fromEntries(shownBy.map((each) => [each, '*'])) : '*'];
    }),
  );
}

export function tableColumns(type: ModelType, attributes: readonly ModelAttribute[]): Column<ListedObject>[] {
  return [
    {
      name: 'key',
      width: '9ch',
      isNumber: true,
      show: ({ key }) => (
        <Link class="mono" to={`/objects/${type.name}/${key}`}>
          {key}
        </Link>
      ),
    },
    ...attributes.map((attribute, index): Column<ListedObject> => {
      const { name, kind } = attribute;
      return {
        name,
        head: <SortButton attribute={attribute} />,
        width: widths[kind] ?? 'minmax(10ch, 2fr)',
        isNumber: numberKinds.has(kind),
        shownFrom: index > 3 ? 1024 : index > 1 ? 640 : undefined,
        show: (object) => <AttributeValue attribute={attribute} value={object[name]} />,
      };
    }),
  ];
}

const widths: Readonly<Record<string, string>> = {
  boolean: '9ch',
  code: 'minmax(8ch, 1fr)',
  decimal: 'minmax(10ch, 1fr)',
  integer: 'minmax(8ch, 1fr)',
  dateTime: 'minmax(17ch, 1fr)',
};
