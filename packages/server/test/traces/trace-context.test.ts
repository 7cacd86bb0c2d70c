// The headers of W3C Trace Context: a mistake begins a new trace instead of failing the request.

import { expect, test } from 'vitest';
import { parseTraceParent, renderTraceParent } from '../../src/observe/traces/trace-context.ts';

const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
const parse = (traceParent: string, traceState?: string) => parseTraceParent({ traceParent, traceState });

test('what was read is written the same', () => {
  for (const flags of ['00', '01']) {
    const traceParent = `00-${traceId}-${spanId}-${flags}`;
    expect(renderTraceParent(parse(traceParent, 'a=1,b=2')!)).toEqual({ traceParent, traceState: 'a=1,b=2' });
  }
});

test('of the flags, only the one for sampled is kept; a later version may have more fields', () => {
  expect(parse(`00-${traceId}-${spanId}-ff`)).toMatchObject({ traceFlags: 1 });
  expect(parse(`cc-${traceId}-${spanId}-00-what-else`)).toMatchObject({ traceId, spanId, traceFlags: 0 });
});

test.each([
  '',
  'nonsense',
  `00-${traceId}-${spanId}`,
  `00-${traceId}-${spanId}-01-more`,
  `ff-${traceId}-${spanId}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
])('%j is no trace', (header) => {
  expect(parse(header)).toBeUndefined();
});

test('a state that is too long, or none, is left out', () => {
  expect(parse(`00-${traceId}-${spanId}-01`, `a=${'1'.repeat(600)}`)!.traceState).toBeUndefined();
  expect(renderTraceParent(parse(`00-${traceId}-${spanId}-01`, 'no state')!).traceState).toBeUndefined();
});
