// The completions that an editor gets for unfinished text.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completionsAt } from '../src/completions.ts';
import { processorMs } from './differential/examine.ts';
import { typeOf } from './expression-fixture.ts';

/** The completions at the bar, or at the end of the text. */
function offered(marked: string, type = 'Voyage'): string[] {
  const offset = marked.includes('|') ? marked.indexOf('|') : marked.length;
  return completionsAt(marked.replace('|', ''), offset, typeOf(type)).options.map(
    ({ shown, type: answer }) => `${shown}: ${answer}`,
  );
}

describe('completions', () => {
  test('list the getters of an object, with their types', () => {
    expect(offered('svcObject.getV')).toEqual(['getVoyageStatus(): String', 'getVessel(): Vessel']);
    expect(offered('svcObject.getVessel().getV')).toEqual(['getVesselName(): String', 'getVesselType(): String']);
    expect(offered('svcObject.')).toContain('isTc(): Boolean');
    expect(offered('oldSvcObject.getPort')).toEqual(['getPortCalls(): List<PortCall>']);
  });

  test('list the methods of a value, with their parameters', () => {
    expect(offered('svcObject.getComments().starts')).toEqual([
      'startsWith(String): boolean',
      'startsWith(String, int): boolean',
    ]);
    expect(offered('svcObject.getPortCalls().stream().any')).toEqual(['anyMatch(PortCall -> boolean): boolean']);
    expect(offered('svcObject.getPortCalls().stream().findFirst().or')).toContain('orElse(PortCall): PortCall');
    expect(offered('"a".isE')).toEqual(['isEmpty(): boolean']);
    expect(offered('svcObject.getComments().split(",").')).toEqual(['length: int']);
  });

  test('list the parameters of the enclosing lambdas', () => {
    expect(offered('svcObject.getPortCalls().stream().anyMatch(p -> p.getSp')).toEqual(['getSpeed(): Double']);
    expect(
      offered('svcObject.getPortCalls().stream().anyMatch(p -> p.getEventLogs().stream().noneMatch((e) -> e.getEv'),
    ).toEqual(['getEvent(): String', 'getEventLogDate(): Date']);
    expect(offered('svcObject.getPortCalls().stream().anyMatch(call -> ca')).toEqual(['call: PortCall']);
  });

  test('list variables, classes and constants', () => {
    expect(offered('svc')).toEqual(['svcObject: Voyage']);
    expect(offered('svcObject != null && Mat')).toEqual(['Math: class']);
    expect(offered('svcObject != null && Math.P')).toEqual(['pow(double, double): double', 'PI: double']);
    expect(offered('svcObject.getDaysTotal() > Integer.MAX')).toEqual(['max(int, int): int', 'MAX_VALUE: int']);
  });

  test('list the attributes in a short form', () => {
    expect(offered('daysL')).toEqual(['daysLoading: Double']);
    expect(offered('.daysL')).toEqual(['daysLoading: Double']);
    expect(offered('old.daysL')).toEqual(['daysLoading: Double']);
    expect(offered('voyageStatus = NOM AND prev.vessel.vesselN')).toEqual(['vesselName: String']);
  });

  test('list the operators that fit a value, and what connects conditions after a comparison', () => {
    const names = (marked: string) => offered(marked).map((line) => line.slice(0, line.indexOf(':')));
    expect(names('svcObject.getDaysTotal() ')).toEqual(['==', '!=', '<', '<=', '>', '>=', '+', '-', '*', '/', '%']);
    expect(names('svcObject.getComments() ')).toEqual(['==', '!=', '+']);
    expect(names('svcObject.isTc() ')).toEqual(['==', '!=', '&&', '||']);
    expect(names('svcObject.getDaysTotal() > 3 ')).toEqual(['+', '-', '*', '/', '%', '&&', '||']);
    expect(names('svcObject.isTc() && svcObject.getVessel() ')).toEqual(['==', '!=']);
    expect(names('svcObject.getPortCalls().stream().anyMatch(p -> p.getSpeed() > 1 ')).toContain('&&');
    expect(names('changedObject ')).toEqual(['==', '!=', 'instanceof']);
    expect(names('voyageStatus ')).toEqual(['=', '!=']);
    expect(names('daysTotal ')).toEqual(['=', '!=', '<', '<=', '>', '>=', '+', '-', '*', '/', '%']);
    expect(names('voyageStatus = NOM ')).toEqual(['AND', 'OR']);
    expect(names('voyageStatus = NOM A')).toEqual(['AND']);
    expect(names('(voyageStatus = NOM OR isTc) ')).toEqual([]);
    expect(names('portCalls ')).toEqual([]);
  });

  test('list the values of a code, and what else can be compared', () => {
    const inserted = (marked: string) =>
      completionsAt(marked, marked.length, typeOf('Voyage'), [typeOf('Voyage'), typeOf('PortCall')])
        .options.filter(({ name }) => !['svcObject', 'old'].includes(name))
        .map(({ insert }) => insert);
    expect(inserted('voyageStatus = ')).toEqual(expect.arrayContaining(['EST', 'NOM', 'null']));
    expect(inserted('svcObject.getVoyageStatus().equals(')).toEqual(expect.arrayContaining(['"EST"', '"NOM"']));
    expect(inserted('svcObject.getVoyageStatus() == N')).toEqual(['"NOM"', 'null']);
    expect(inserted('Objects.equals(svcObject.getVoyageStatus(), N')).toEqual(['"NOM"']);
    expect(inserted('svcObject.getIsTc() == t')).toEqual(['true']);
    expect(inserted('svcObject != null && changedObject instanceof ')).toEqual(['Voyage', 'PortCall']);
  });

  test('say what they are, and what is to be inserted', () => {
    const first = (marked: string) => {
      const [{ kind, insert } = {}] = completionsAt(marked, marked.length, typeOf('Voyage')).options;
      return [kind, insert];
    };
    expect(first('svcObject.getVes')).toEqual(['attribute', 'getVessel()']);
    expect(first('daysL')).toEqual(['attribute', 'daysLoading']);
    expect(first('"a".isE')).toEqual(['method', 'isEmpty()']);
    expect(first('"a".starts')).toEqual(['method', 'startsWith(']);
    expect(first('svcO')).toEqual(['value', 'svcObject']);
    expect(first('svcObject.isTc() == true ')).toEqual(['operator', '&&']);
  });

  test('depend only on the text before the offset', () => {
    expect(offered('svcObject.getVes| && (((')).toEqual(['getVessel(): Vessel']);
    expect(offered('svcObject.| "')).toContain('getVessel(): Vessel');
  });

  test('give the start of the word that they replace', () => {
    expect(completionsAt('svcObject.getVes', 16, typeOf('Voyage')).from).toBe(10);
    expect(completionsAt('svcObject.', 10, typeOf('Voyage')).from).toBe(10);
  });

  test('are empty inside texts and comments, and after a value without members', () => {
    for (const text of [
      '"svcObject.',
      '/* svcObject.',
      'svcObject.getNothing().',
      '1.',
      'svcObject.getVessel().getFoo().',
    ])
      expect(offered(text)).toEqual([]);
  });

  test('are fast, however many parentheses are open', () => {
    for (const text of [
      `${'a.b(x->'.repeat(1100)}x.`,
      '('.repeat(8000),
      `${'svcObject.getPortCalls().stream().anyMatch(p->'.repeat(170)}p.`,
    ]) {
      const times = [1, 2, 3].map(() => processorMs(() => offered(text)));
      expect(Math.min(...times)).toBeLessThan(50);
    }
  });

  test('never fail, whatever the text', () => {
    const pieces = [
      'svcObject',
      '.',
      '(',
      ')',
      'getVessel',
      'getPortCalls',
      'stream',
      'anyMatch',
      'p',
      '->',
      ' ',
      '"',
      "'",
      ',',
      '[',
      ']',
      '1',
      'new',
      'old',
      '=',
      '?',
      ':',
      '\n',
      '\\',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), fc.nat(200), (parts, offset) => {
        const text = parts.join('');
        const { from, options } = completionsAt(text, Math.min(offset, text.length), typeOf('Voyage'));
        expect(from).toBeLessThanOrEqual(text.length);
        expect(Array.isArray(options)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
