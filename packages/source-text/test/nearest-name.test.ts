// The hint after an unknown name.

import { expect, test } from 'vitest';
import { didYouMean } from '../src/nearest-name.ts';

const known = ['key', 'vesselName', 'callSignal', 'port', 'portCalls', 'portName', 'flag'];

test.each([
  ['vesselNme', 'vesselName'],
  ['VESSELNAME', 'vesselName'],
  ['vessel_name', 'vesselName'],
  ['prot', 'port'],
  ['porcalls', 'portCalls'],
  ['name', 'vesselName'],
  ['signal', 'callSignal'],
])('the hint for %s is %s', (name, meant) => {
  expect(didYouMean(name, known)).toBe(` Did you mean "${meant}"?`);
});

test.each(['', 'zz', 'xyzxyz', 'e', 'x'.repeat(100_000)])('there is no hint if no name is near: %.20s', (name) => {
  expect(didYouMean(name, known)).toBe('');
});
