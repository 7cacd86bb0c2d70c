// The head of a message is read as it was stored.

import { expect, test } from 'vitest';
import { type MessageHead, parseHead, renderHead } from '../../src/deliver/queue/message-head.ts';

const head: MessageHead = {
  id: '9007199254740991-9007199254740990',
  objectType: 'PortCall',
  objectKey: 9_007_199_254_740_989,
  eventType: 'U',
  subscribedObjectKey: 9_007_199_254_740_988,
  occurredAt: '2026-11-16T18:30:00.123456Z',
  contentType: 'application/json',
};

test.each(['application/json', 'text/xml; charset=utf-8', 'text/plain;  format=flowed ; charset="utf-8"'])(
  'a head with the content type %s is read as it was written',
  (contentType) => {
    expect(parseHead(renderHead({ ...head, contentType }))).toEqual({ ...head, contentType });
  },
);
