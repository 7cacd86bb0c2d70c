// What is missing in a draft, before the service is asked.

import type { Violation } from '../../../service/service-error.ts';
import { channelUses } from './channel-uses.ts';
import { type Draft, type EventRow, operationsOn } from './draft.ts';

export function findMistakes(draft: Draft): Violation[] {
  const use = channelUses[draft.channelType];
  const wrong = draft.events.map(findRowMistake).filter((message) => message !== undefined);
  return [
    ...(wrong.length > 0 ? [{ path: 'eventTypes', message: wrong[0]! }] : []),
    ...(use.address && draft.url.trim() === ''
      ? [{ path: 'url', message: 'Required: where notifications are sent.' }]
      : []),
    ...draft.headers.flatMap(({ name, value }) =>
      name.trim() === '' || value !== '' ? [] : [{ path: `headers.${name}`, message: 'Enter the value.' }],
    ),
    ...(draft.bodyForm === 'STYLESHEET' && draft.stylesheet.trim() === ''
      ? [{ path: 'xsl', message: 'Write the stylesheet, or choose another body.' }]
      : []),
  ];
}

function findRowMistake(row: EventRow): string | undefined {
  const { objectType, isOne, objectKey, operations } = row;
  if (objectType === '') return 'Choose a type of objects.';
  if (isOne && objectKey === '') return `Choose the ${objectType}, or every ${objectType}.`;
  if (!operationsOn(row).some((operation) => operations.includes(operation)))
    return `Choose when: at least one of the operations of ${objectType}.`;
  return undefined;
}
