// Which requests count as long.

import { expect, test } from 'vitest';
import { parseListRequest, parseReadRequest } from '../../src/query/list-request.ts';
import { isLongList, isLongRead } from '../../src/query/long-request.ts';
import type { QueryParameter } from '../../src/query/query-parameter.ts';
import { typeOf } from './query-fixture.ts';

test.each<[boolean, string, string]>([
  [false, 'a page', 'limit=100'],
  [true, 'a larger page', 'limit=101'],
  [true, 'a whole list', ''],
  [false, 'references one step away', 'limit=1&fields={"voyage":{"referenceNo":"*"}}'],
  [false, 'the key of what is two steps away', 'limit=1&fields={"voyage":{"vessel":{}}}'],
  [true, 'references two steps away', 'limit=1&fields={"voyage":{"vessel":{"vesselName":"*"}}}'],
  [true, 'a collection', 'limit=1&fields={"eventLogs":{}}'],
  [true, 'a filter by a collection', 'limit=1&filter=eventLogs.key(GT)1'],
])('a list is long (%s): %s', (isLong, _, query) => {
  const parameters: QueryParameter[] = [...new URLSearchParams(query)];
  expect(isLongList(parseListRequest(typeOf('PortCall'), parameters, {}))).toBe(isLong);
});

test.each<[boolean, string, string | undefined]>([
  [false, 'as a whole', undefined],
  [false, 'an element with what it refers to', '{"portCalls":{"port":{"unLoCode":"*"}}}'],
  [true, 'an element and two steps from it', '{"portCalls":{"voyage":{"vessel":{"vesselName":"*"}}}}'],
  [true, 'a collection in another', '{"portCalls":{"eventLogs":{}}}'],
])('an object is long (%s): %s', (isLong, _, fields) => {
  expect(isLongRead(parseReadRequest(typeOf('Voyage'), [], { fields }))).toBe(isLong);
});

test.each<[boolean, string, string, string | undefined]>([
  [true, 'a file', 'Attachment', '{"file":"*"}'],
  [true, 'the text of a remark', 'Remarks', '{"remarkText":"*"}'],
  [true, 'a remark behind a reference', 'Attachment', '{"remarks":{"remarkText":"*"}}'],
  [false, 'short values of a type with files', 'Attachment', '{"remarks":{},"createdDate":"*"}'],
  [false, 'a few texts without a maximum length', 'Vessel', undefined],
])('an object and a list are long (%s) that show %s', (isLong, _, type, fields) => {
  expect(isLongRead(parseReadRequest(typeOf(type), [], { fields }))).toBe(isLong);
  expect(isLongList(parseListRequest(typeOf(type), [['limit', '1']], { fields }))).toBe(isLong);
});
