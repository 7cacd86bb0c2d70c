// The instance methods, static methods and constructors of BigDecimal.

import * as decimal from '../run/big-decimal.ts';
import { type BigDecimal, bigDecimal } from '../run/big-decimal.ts';
import { renderDouble } from '../run/java-text.ts';
import { type Meter, spend } from '../run/meter.ts';
import { notNumber } from '../run/parse-number.ts';
import { equalsMethod, type Method, methodsOf, signatureTypes } from './method.ts';

const on = methodsOf<[BigDecimal]>();
const onClass = methodsOf<[]>();
const { decimal: number, double, int, long, rounding, text } = signatureTypes;

export const bigDecimalMethods: readonly Method[] = charged([
  equalsMethod,
  on('add', [number], number, decimal.add),
  on('subtract', [number], number, (self, other) => decimal.add(self, decimal.negate(other))),
  on('multiply', [number], number, decimal.multiply),
  on('divide', [number], number, (self, other, meter) => {
    // Euclid's algorithm takes a millisecond for a thousand digits, and a few steps for the amounts of an invoice.
    spend(meter, 20 * costOf(other));
    return decimal.divideExactly(self, other);
  }),
  on('divide', [number, rounding], number, (self, other, mode) => decimal.divide(self, other, self.scale, mode)),
  on('divide', [number, int, rounding], number, decimal.divide),
  on('negate', [], number, decimal.negate),
  on('abs', [], number, (self) => (self.unscaled < 0n ? decimal.negate(self) : self)),
  on('max', [number], number, (self, other) => (decimal.compare(self, other) >= 0 ? self : other)),
  on('min', [number], number, (self, other) => (decimal.compare(self, other) <= 0 ? self : other)),
  on('setScale', [int], number, (self, scale) => decimal.withScale(self, scale, 'UNNECESSARY')),
  on('setScale', [int, rounding], number, decimal.withScale),
  on('stripTrailingZeros', [], number, decimal.stripZeros),
  on('compareTo', [number], int, decimal.compare),
  on('signum', [], int, ({ unscaled }) => (unscaled > 0n ? 1 : unscaled < 0n ? -1 : 0)),
  on('scale', [], int, ({ scale }) => scale),
  on('precision', [], int, ({ unscaled }) => decimal.digitCount(unscaled)),
  on('intValue', [], int, decimal.toInt),
  on('longValue', [], long, decimal.toLong),
  on('doubleValue', [], double, decimal.toDouble),
  on('toString', [], text, decimal.renderDecimal),
  on('toPlainString', [], text, decimal.renderPlainly),
]);

export const bigDecimalStatics: readonly Method[] = [
  onClass('valueOf', [long], number, (value) => bigDecimal(BigInt(value))),
  onClass('valueOf', [long, int], number, (value, scale) => bigDecimal(BigInt(value), scale)),
  onClass('valueOf', [double], number, (value) => parse(renderDouble(value))),
];

export const bigDecimalConstructors: readonly Method[] = charged([
  onClass('BigDecimal', [int], number, (value) => bigDecimal(BigInt(value))),
  onClass('BigDecimal', [long], number, (value) => bigDecimal(BigInt(value))),
  onClass('BigDecimal', [double], number, (value) => decimal.exactDecimal(value) ?? parse(String(value))),
  onClass('BigDecimal', [text], number, parse, {
    checkConstants: ([digits]) =>
      typeof digits === 'string' && !isNumber(digits)
        ? 'This text is not a number that BigDecimal accepts.'
        : undefined,
  }),
]);

/** Charges for the operands: a number with hundreds of digits takes as long as hundreds of steps. */
function charged(methods: readonly Method[]): readonly Method[] {
  return methods.map((method) => ({
    ...method,
    bind(types) {
      const run = method.bind(types);
      return (...args) => {
        spend(args.at(-1) as Meter, costOf(args[0]) + costOf(args[1]));
        return run(...args);
      };
    },
  }));
}

function costOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  const { unscaled, scale } = Object(value) as Partial<BigDecimal>;
  if (unscaled === undefined || scale === undefined) return 0;
  return unscaled < ordinary && unscaled > -ordinary && Math.abs(scale) < 40 ? 1 : 400;
}

const ordinary = 10n ** 40n;

function parse(digits: string): BigDecimal {
  const parsed = decimal.parseDecimal(digits);
  if (parsed === undefined) throw notNumber(digits);
  return parsed;
}

function isNumber(digits: string): boolean {
  try {
    return decimal.parseDecimal(digits) !== undefined;
  } catch {
    return false;
  }
}
