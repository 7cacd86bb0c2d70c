// What an editor offers to write instead of a mistake. Written in its place, it corrects the mistake.

import { describe, expect, test } from 'vitest';
import { compileExpression } from '../src/compile-expression.ts';
import { typeOf, voyageHierarchy } from './expression-fixture.ts';

function mistakesIn(text: string) {
  const result = compileExpression(text, typeOf('Voyage'), voyageHierarchy);
  return result.kind === 'mistakes' ? result.mistakes : [];
}

describe('a suggestion corrects its mistake', () => {
  test.each([
    ['svcObject.getVoyageStats() == null', 'svcObject.getVoyageStatus() == null'],
    ['svcObject.getVessel().getName() != null', 'svcObject.getVessel().getVesselName() != null'],
    ['svcObject != null && daysTotal > 3', 'svcObject != null && svcObject.getDaysTotal() > 3'],
    ['svcObject != null && dayTotal > 3', 'svcObject != null && svcObject.getDaysTotal() > 3'],
    ['svcObject != null && getDaysTotal() > 3', 'svcObject != null && svcObject.getDaysTotal() > 3'],
    ['svcObject.daysTotal > 3', 'svcObject.getDaysTotal() > 3'],
    ['svcObject.getComments().startWith("a")', 'svcObject.getComments().startsWith("a")'],
    ['svcObjekt.getDaysTotal() > 3', 'svcObject.getDaysTotal() > 3'],
    ['svcObject.getDaysTotal() > Math.PIE', 'svcObject.getDaysTotal() > Math.PI'],
    ['changedObject instanceof PortCal', 'changedObject instanceof PortCall'],
    ['svcObject.isTc() AND true', 'svcObject.isTc() && true'],
    ['svcObject.getDaysTotal() = 3', 'svcObject.getDaysTotal() == 3'],
    ['svcObject.getDaysTotal() <> 3', 'svcObject.getDaysTotal() != 3'],
    ['voyageStats = NOM', 'voyageStatus = NOM'],
    ['coments = old.comments', 'comments = old.comments'],
  ])('%s', (text, corrected) => {
    const [{ offset, length, suggestion } = { offset: 0, length: 0, suggestion: undefined }] = mistakesIn(text);
    expect(text.slice(0, offset) + suggestion + text.slice(offset + length)).toBe(corrected);
    expect(mistakesIn(corrected)).toEqual([]);
  });
});

test.each([
  'svcObject.getEta() != null',
  'svcObject.getComments()',
  'svcObject.getComments().format("a") == null',
  'svcObject.getReferenceNo() == "1"',
  'svcObject.zzzzzz() == 1',
])('there is none where no other text corrects it: %s', (text) => {
  expect(mistakesIn(text).map(({ suggestion }) => suggestion)).toEqual([undefined]);
});
