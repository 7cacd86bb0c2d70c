// Patterns without special characters, such as the comma of a split. They run as a text search, which is far cheaper
// than the engine.

import { searchCost } from '../run/meter.ts';
import type { LinearRegex } from './linear-regex.ts';

export function isPlain(pattern: string): boolean {
  return pattern !== '' && !/[\\^$.|?*+()[\]{}\ud800-\udfff]/.test(pattern);
}

export function plainRegex(plain: string): LinearRegex {
  return {
    compilingCost: 0,
    matchingCost: (length) => 4 + searchCost(length, plain.length),
    reach: plain.length,
    groupCount: 0,
    groupNames: new Map(),
    matches: (text) => text === plain,
    findAll(text, beforeEach, visit) {
      for (let from = 0; ; ) {
        beforeEach(from);
        const start = text.indexOf(plain, from);
        if (start < 0) return;
        from = start + plain.length;
        if (!visit({ start, end: from, group: () => plain })) return;
      }
    },
  };
}
