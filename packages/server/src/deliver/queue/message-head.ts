// Everything that is sent with a body, as one line of text stored beside the body. A claim reads one column at much
// less cost than seven.

import type { Operation } from '../../events/change-event.ts';

export interface MessageHead {
  /** Event id and notification key, joined by a hyphen. */
  id: string;
  objectType: string;
  objectKey: number;
  eventType: Operation;
  subscribedObjectKey: number;
  /** `yyyy-MM-ddTHH:mm:ss.SSSSSSZ` */
  occurredAt: string;
  contentType: string;
}

/** Only the last field may contain spaces. */
export function renderHead(head: MessageHead): string {
  const { id, objectType, objectKey, eventType, subscribedObjectKey, occurredAt, contentType } = head;
  return `${id} ${objectType} ${objectKey} ${eventType} ${subscribedObjectKey} ${occurredAt} ${contentType}`;
}

export function parseHead(line: string): MessageHead {
  const words = line.split(' ');
  return {
    id: words[0]!,
    objectType: words[1]!,
    objectKey: Number(words[2]),
    eventType: words[3] as Operation,
    subscribedObjectKey: Number(words[4]),
    occurredAt: words[5]!,
    contentType: words.length === 7 ? words[6]! : words.slice(6).join(' '),
  };
}

/** The number of the event, which is the first part of the id. */
export function sequenceOf({ id }: Pick<MessageHead, 'id'>): number {
  return Number(id.slice(0, id.indexOf('-')));
}

/** Reads only the id. */
export function idIn(line: string): string {
  return line.slice(0, line.indexOf(' '));
}
