// A trace evaluates an expression as an evaluation does, and says what each part was, and what decided.

import { describe, expect, test } from 'vitest';
import type { EvaluatedObjects } from '../src/compile/evaluate.ts';
import type { Evaluation } from '../src/trace/evaluation.ts';
import { type ExpressionTrace, traceExpression } from '../src/trace/trace-expression.ts';
import { Dice } from './differential/dice.ts';
import { randomExpression } from './differential/random-expression.ts';
import { randomPair } from './differential/random-objects.ts';
import { compiled, oldVoyage, type Row, readerOf, typeOf, voyage, voyageHierarchy } from './expression-fixture.ts';

function traceOf(text: string, row: Row, old: Row | null): ExpressionTrace {
  const traced = traceExpression(text, typeOf('Voyage'), voyageHierarchy);
  if (traced.kind === 'mistakes') throw new Error(traced.mistakes.map(({ message }) => message).join('\n'));
  return traced.evaluate(objectsOf(row, old));
}

function objectsOf(row: Row, old: Row | null): EvaluatedObjects {
  return { svcObject: readerOf(row), oldSvcObject: old && readerOf(old), nowMs: Date.UTC(2026, 0, 15) };
}

function traced(text: string, row: Row = voyage, old: Row | null = oldVoyage, partsMax?: number) {
  const { outcome, describe: explain } = traceOf(text, row, old);
  return { outcome, ...explain(partsMax) };
}

const evaluationOf = (...args: Parameters<typeof traced>): Evaluation => traced(...args).evaluation!;

function* partsOf(evaluation: Evaluation): Generator<Evaluation> {
  yield evaluation;
  for (const child of evaluation.children) yield* partsOf(child);
}

/** `text = value`, as a nested list. A decisive part has a star. */
function drawn({ text, value, element, error, isDecisive, children }: Evaluation): unknown[] {
  const notes = `${element === null ? '' : ` for ${element}`}${error === null ? '' : ' failed'}`;
  const line = `${isDecisive ? '*' : ''}${text} = ${value}${notes}`;
  return [line, ...children.flatMap((child) => (child.children.length > 0 ? [drawn(child)] : drawn(child)))];
}

describe('an evaluation has the value of each part', () => {
  test('of a comparison', () => {
    expect(drawn(evaluationOf('daysTotal > old.daysTotal * 1.2'))).toEqual([
      '*daysTotal > old.daysTotal * 1.2 = true',
      'daysTotal = 12.5',
      ['old.daysTotal * 1.2 = 12.0', 'old.daysTotal = 10.0'],
    ]);
  });

  test('of getters in a chain, on an object that does not exist', () => {
    expect(drawn(evaluationOf('oldSvcObject.getVessel().getFlag() == null', voyage, null))).toEqual([
      '*oldSvcObject.getVessel().getFlag() == null = true',
      ['oldSvcObject.getVessel().getFlag() = null', ['oldSvcObject.getVessel() = null', 'oldSvcObject = null']],
    ]);
  });

  test('of each call of a lambda, with its element', () => {
    expect(drawn(evaluationOf('svcObject.getPortCalls().stream().anyMatch(p -> p.getPort().isCanal())'))).toEqual([
      '*svcObject.getPortCalls().stream().anyMatch(p -> p.getPort().isCanal()) = true',
      [
        'svcObject.getPortCalls().stream() = Stream<PortCall>',
        'svcObject.getPortCalls() = [PortCall 2001, PortCall 2002]',
      ],
      ['p.getPort().isCanal() = false for PortCall 2001', 'p.getPort() = Port 901'],
      ['*p.getPort().isCanal() = true for PortCall 2002', 'p.getPort() = Port 902'],
    ]);
  });

  test('that is null for a part that was not evaluated', () => {
    const { children } = evaluationOf('voyageStatus = EST AND freight > 1');
    expect(children.map(({ text, value, children: parts }) => [text, value, parts.length])).toEqual([
      ['voyageStatus = EST', 'false', 1],
      ['freight > 1', null, 0],
    ]);
  });

  test('with its place in the text, whatever characters come before', () => {
    const text = '/* \u{1F6A2} */ svcObject.getComments().equals("\u{1F6A2}")\n && svcObject.isTc()';
    for (const { from, to, text: shown } of partsOf(evaluationOf(text))) expect(text.slice(from, to)).toBe(shown);
  });

  test.each<[string, string, string]>([
    ['svcObject.getComments() == null', 'String', '"Berth at noon"'],
    ['svcObject.getEstimatedVoyageStartDate() == null', 'Date', '2026-01-01T06:00:00'],
    ['svcObject.getDaysLoading() == null', 'Double', '3.0'],
    ['svcObject.getDaysWaiting() == null', 'Double', 'null'],
    ['svcObject.getVessel() == null', 'Vessel', 'Vessel 501'],
    ["svcObject.getComments().charAt(0) == 'x'", 'char', "'B'"],
    ['svcObject.getPortCalls().stream().findFirst().isPresent()', 'Optional<PortCall>', 'Optional[PortCall 2001]'],
    ['svcObject.getCargos().stream().findFirst().isPresent()', 'Optional<Cargo>', 'Optional.empty'],
    ['new BigDecimal("1.50").equals(svcObject.getComments())', 'BigDecimal', '1.50'],
    ['new Date(9000000000000000L).equals(svcObject.getComments())', 'Date', 'a date out of range'],
    ['svcObject.getComments().split(" ").length == 3', 'String[]', '["Berth", "at", "noon"]'],
  ])('%s', (text, type, value) => {
    const found = [...partsOf(evaluationOf(text))].map((part) => [part.type, part.value]);
    expect(found).toContainEqual([type, value]);
  });

  test('of the code or key that a reference is compared by', () => {
    const port = { key: 901, portName: 'Rotterdam', unLoCode: 'NLRTM', isCanal: false };
    const row = { ...voyage, ballastPort: port };
    expect(traced('ballastPort = SGSIN', row).decision).toBe('ballastPort = SGSIN with ballastPort = "NLRTM"');
    expect(traced('ballastPort = 7', row).decision).toBe('ballastPort = 7 with ballastPort = 901');
  });
});

describe('the decision names what decided', () => {
  test.each([
    ['daysTotal > 20', 'daysTotal > 20 with daysTotal = 12.5'],
    ['voyageStatus = NOM AND daysTotal > 20 AND freight > 1', 'daysTotal > 20 with daysTotal = 12.5'],
    [
      'voyageStatus = EST OR daysTotal > 20',
      'voyageStatus = EST with voyageStatus = "NOM"; daysTotal > 20 with daysTotal = 12.5',
    ],
    ['daysWaiting > 1 OR isTc', 'isTc = true'],
    ['!(svcObject.getDaysTotal() > 3)', '!(svcObject.getDaysTotal() > 3) with svcObject.getDaysTotal() = 12.5'],
    ['NOT (isTc AND voyageStatus = NOM)', 'isTc = true; voyageStatus = NOM with voyageStatus = "NOM"'],
    [
      'svcObject.isTc() ? svcObject.getReferenceNo() == 3 : svcObject.getFreight() > 1',
      'svcObject.isTc() = true; svcObject.getReferenceNo() == 3 with svcObject.getReferenceNo() = 17',
    ],
    [
      'Objects.equals(svcObject.getVessel(), oldSvcObject.getVessel())',
      'Objects.equals(svcObject.getVessel(), oldSvcObject.getVessel()) with svcObject.getVessel() = Vessel 501 and ' +
        'oldSvcObject.getVessel() = null',
    ],
    [
      'svcObject.getPortCalls().stream().allMatch(p -> p.getReasonForCall().equals("L"))',
      'p.getReasonForCall().equals("L") for PortCall 2002 with p.getReasonForCall() = "D"',
    ],
    [
      'svcObject.getPortCalls().stream().noneMatch(p -> p.getSpeed() == null || p.getSpeed() > 100)',
      'p.getSpeed() == null with p.getSpeed() = null',
    ],
    [
      'svcObject.getPortCalls().stream().filter(p -> p.getSpeed() != null).count() == 7',
      'svcObject.getPortCalls().stream().filter(p -> p.getSpeed() != null).count() == 7 with ' +
        'svcObject.getPortCalls().stream().filter(p -> p.getSpeed() != null).count() = 1',
    ],
    [
      'svcObject.isTc() & svcObject.getFreight() < 1',
      'svcObject.getFreight() < 1 with svcObject.getFreight() = 250000.75',
    ],
    ['true || svcObject.isTc()', 'true || svcObject.isTc()'],
  ])('%s', (text, decision) => {
    expect(traced(text).decision).toBe(decision);
  });

  test('in one printable line, however long the expression and its values are', () => {
    const row = { ...voyage, comments: `\u202e\n${'x'.repeat(60_000)}` };
    const text = `svcObject.getComments()${'.concat("\u{1F6A2}")'.repeat(90)}\n.isEmpty() || svcObject.getComments() == null`;
    const { decision } = traced(text, row);
    expect(decision.length).toBeLessThan(1000);
    expect(decision).not.toMatch(/\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}/u);
  });
});

describe('a failure is at the part that failed, with its message', () => {
  const failed = (text: string) => {
    const { outcome, evaluation } = traced(text);
    const parts = [...partsOf(evaluation!)].filter(({ error }) => error !== null);
    expect(parts.map(({ error }) => error)).toEqual([outcome.kind === 'error' && outcome.message]);
    return parts.map((part) => [part.text, part.value]);
  };

  test.each([
    ['svcObject.getDaysTotal() > 3 && svcObject.getDaysWaiting() > 1', 'svcObject.getDaysWaiting() > 1'],
    [
      'svcObject.getPortCalls().stream().anyMatch(p -> p.getEventLogs().get(0).isDateFixed() && p.getSpeed() > 99)',
      'p.getEventLogs().get(0)',
    ],
    ['1 / svcObject.getPortCalls().get(5).getKey() == 1', 'svcObject.getPortCalls().get(5)'],
    ['svcObject.getReferenceNo() / (svcObject.getReferenceNo() - 17) == 1', expect.stringContaining(' / ')],
    ['svcObject.getComments().repeat(60000).isEmpty()', 'svcObject.getComments().repeat(60000)'],
  ])('%s', (text, part) => {
    expect(failed(text)).toEqual([[part, null]]);
  });

  test('or at the value that is null where a boolean is needed', () => {
    expect(failed('oldSvcObject.getIsTc()')).toEqual([['oldSvcObject.getIsTc()', 'null']]);
  });
});

describe('the size of an evaluation is limited', () => {
  test('a long chain shows its ends of interest first', () => {
    const chain = Array.from({ length: 300 }, (_, at) => `daysTotal != ${at + 1000}`).join(' AND ');
    const { children, omitted } = evaluationOf(`${chain} AND voyageStatus = EST`);
    expect([children.length, omitted]).toEqual([50, 251]);
    expect(children.at(-1)).toMatchObject({ text: 'voyageStatus = EST', isDecisive: true });
  });

  test('of the calls of a lambda, the first ones and the last one are kept', () => {
    const portCalls = Array.from({ length: 500 }, (_, at) => ({ key: at, speed: at })) as Row[];
    const evaluation = evaluationOf('svcObject.getPortCalls().stream().anyMatch(p -> p.getSpeed() == 400)', {
      ...voyage,
      portCalls,
    });
    const calls = evaluation.children.filter(({ element }) => element !== null);
    expect(calls.map(({ element }) => element)).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 400].map((key) => `PortCall ${key}`),
    );
    expect(evaluation.omitted).toBe(391);
    expect(evaluation.children[0]!.children[0]!.value).toBe(
      '[PortCall 0, PortCall 1, PortCall 2, PortCall 3, PortCall 4, … 500 in all]',
    );
  });

  test.each([
    ['nested calls', `svcObject.getComments()${'.concat(svcObject.getComments())'.repeat(90)}.isEmpty()`],
    ['nested parentheses', `${'!('.repeat(40)}svcObject.isTc()${')'.repeat(40)}`],
    [
      'nested lambdas',
      'svcObject.getPortCalls().stream().anyMatch(p -> p.getEventLogs().stream().noneMatch(e -> svcObject.getPortCalls().stream().allMatch(q -> q.getKey() != e.getKey())))',
    ],
    ['many operands', `svcObject.getReferenceNo()${' + svcObject.getReferenceNo()'.repeat(90)} > 0`],
    ['many conditions', Array.from({ length: 400 }, () => 'daysTotal > 90').join(' OR ')],
  ])('%s', (_, text) => {
    const comments = 'x'.repeat(700);
    for (const partsMax of [1, 5, 300]) {
      const evaluation = evaluationOf(text, { ...voyage, comments }, oldVoyage, partsMax);
      const parts = [...partsOf(evaluation)];
      expect(parts.length).toBeLessThanOrEqual(partsMax);
      for (const { text: shown, value } of parts) {
        expect(shown.length).toBeLessThanOrEqual(200);
        expect(value?.length ?? 0).toBeLessThanOrEqual(200);
      }
    }
  });
});

test('evaluations of one expression are recorded apart', () => {
  const expression = traceExpression('daysTotal > old.daysTotal', typeOf('Voyage'));
  if (expression.kind === 'mistakes') throw new Error('It has mistakes.');
  const first = expression.evaluate(objectsOf(voyage, oldVoyage));
  const second = expression.evaluate(objectsOf(oldVoyage, voyage));
  expect([second, first].map((trace) => trace.describe().decision)).toEqual([
    'daysTotal > old.daysTotal with daysTotal = 10.0 and old.daysTotal = 12.5',
    'daysTotal > old.daysTotal with daysTotal = 12.5 and old.daysTotal = 10.0',
  ]);
});

test('a trace has the outcome of the evaluation, for any expression and objects', () => {
  const dice = new Dice(20_260_501);
  const outcomes = new Set<string>();
  for (let run = 0; run < 300; run += 1) {
    const { ours: text } = randomExpression(dice);
    const { row, old } = randomPair(dice);
    const { outcome, evaluation } = traced(text, row, old);
    expect(outcome, text).toEqual(compiled(text).evaluate(objectsOf(row, old)));
    const value = outcome.kind === 'value' ? String(outcome.value) : 'error';
    if (evaluation && outcome.kind === 'value') expect(evaluation.value, text).toBe(value);
    outcomes.add(value);
  }
  expect([...outcomes].sort()).toEqual(['error', 'false', 'true']);
});
