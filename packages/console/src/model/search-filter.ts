// The filter of the API for a text that a person typed: a key, or a part of what identifies the object.

import { containing, isKeyText } from '../service/filter-value.ts';
import type { ModelType } from './model.ts';

/** Undefined: nothing of this type can match. */
export function searchFilter(type: ModelType, text: string): string[] | undefined {
  const isNumber = isKeyText(text);
  const attributes = new Map(type.attributes.map((attribute) => [attribute.name, attribute]));
  const groups = [
    ...(isNumber ? [`key(EQ)${text}`] : []),
    ...type.shownBy.flatMap((name) => {
      const kind = attributes.get(name)?.kind;
      if (kind === 'text') return [`${name}(ILIKE)${containing(text)}`];
      return kind === 'integer' && isNumber ? [`${name}(EQ)${text}`] : [];
    }),
  ];
  return groups.length === 0 ? undefined : groups.flatMap((group, index) => (index === 0 ? [group] : ['(OR)', group]));
}
