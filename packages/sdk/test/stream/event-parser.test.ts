// Server-sent events are the same however they are cut into pieces.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventParser, type ServerEvent } from '../../src/stream/event-parser.ts';

function parse(pieces: readonly Uint8Array[]): ServerEvent[] {
  const parser = new EventParser();
  return pieces.flatMap((piece) => parser.parse(piece));
}

const parseText = (text: string) => parse([Buffer.from(text)]);

test('fields, comments, names and line ends are those of the standard', () => {
  expect(parseText('data: a\n\n')).toEqual([{ event: 'message', data: 'a' }]);
  expect(parseText('event: notification\ndata: a\ndata: b\n\n')).toEqual([{ event: 'notification', data: 'a\nb' }]);
  expect(parseText('data:a\rdata:  b\r\r')).toEqual([{ event: 'message', data: 'a\n b' }]);
  expect(parseText('data\n\ndata\ndata\n\n')).toEqual([
    { event: 'message', data: '' },
    { event: 'message', data: '\n' },
  ]);
  expect(parseText(': comment\n\n:\nid: 1\nunknown: x\ndata: a\n\n')).toEqual([{ event: 'message', data: 'a' }]);
  // A name without data is no event, and its name is not that of the next one.
  expect(parseText('event: a\n\ndata: b\n\n')).toEqual([{ event: 'message', data: 'b' }]);
  // What has not ended is none.
  expect(parseText('data: a\n\ndata: b\n')).toEqual([{ event: 'message', data: 'a' }]);
  // A byte order mark at the start is no part of the first line.
  expect(parseText('\ufeffdata: a\n\n')).toEqual([{ event: 'message', data: 'a' }]);
});

test('the time to wait before the next connection is a number of milliseconds', () => {
  const parser = new EventParser();
  for (const wrong of ['x', '', '-1', '1.5', '9999999999']) parser.parse(Buffer.from(`retry: ${wrong}\n`));
  expect(parser.retryMs).toBeUndefined();
  parser.parse(Buffer.from('retry: 250\n'));
  expect(parser.retryMs).toBe(250);
});

const line = fc.string({ unit: 'binary' }).filter((text) => !/[\r\n]/.test(text));
const events = fc.array(
  fc.record({ name: line.filter((name) => name !== ''), lines: fc.array(line, { minLength: 1, maxLength: 3 }) }),
);
const lineEnd = fc.constantFrom('\n', '\r', '\r\n');

test('any events arrive whole, whatever pieces they come in and whatever ends their lines', () => {
  fc.assert(
    fc.property(events, lineEnd, fc.infiniteStream(fc.integer({ min: 0, max: 9 })), (all, end, sizes) => {
      const text = all.map(({ name, lines }) =>
        [`: ${name}`, `event: ${name}`, 'retry: 5', ...lines.map((one) => `data: ${one}`), '', ''].join(end),
      );
      const bytes = Buffer.from(text.join(''));
      const pieces: Buffer[] = [];
      for (let at = 0; at < bytes.length; ) {
        const size = sizes.next().value;
        pieces.push(bytes.subarray(at, at + size));
        at += size;
      }
      expect(parse(pieces)).toEqual(all.map(({ name, lines }) => ({ event: name, data: lines.join('\n') })));
    }),
    { numRuns: 500 },
  );
});

test('an event of 8 MB in small pieces takes no more than a few passes over it', () => {
  const parser = new EventParser();
  const piece = Buffer.alloc(1024, 'x');
  parser.parse(Buffer.from('data: '));
  for (let count = 0; count < 8 * 1024; count += 1) expect(parser.parse(piece)).toEqual([]);
  const [event] = parser.parse(Buffer.from('\n\n'));
  expect(event!.data.length).toBe(8 * 1024 * 1024);
});
