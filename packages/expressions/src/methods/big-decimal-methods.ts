// The instance methods, static methods and constructors of BigDecimal.

import * as decimal from '../run/big-decimal.ts';
import { type BigDecimal, bigDecimal } from '../run/big-decimal.ts';
import { renderDouble } from '../run/java-text.ts';
import { type Meter, spend } from '../run/meter.ts';
import { notNumber } from '../run/parse-number.ts';
import { equalsMethod, type Method, methodsOf, parameters, returns } from './method.ts';

const on = methodsOf<[BigDecimal]>();
const onClass = methodsOf<[]>();
const { int, long, double, text, decimal: number, rounding } = parameters;
const result = returns.decimal;

export const bigDecimalMethods: readonly Method[] = charged([
  equalsMethod,
  on('add', [number], result, decimal.add),
  on('subtract', [number], result, (self, other) => decimal.add(self, decimal.negate(other))),
  on('multiply', [number], result, decimal.multiply),
  on('divide', [number], result, (self, other, meter) => {
    // Euclid's algorithm takes a millisecond for a thousand digits, and a few steps for the amounts of an invoice.
    spend(meter, 20 * costOf(other));
    return decimal.divideExactly(self, other);
  }),
  on('divide', [number, rounding], result, (self, other, mode) => decimal.divide(self, other, self.scale, mode)),
  on('divide', [number, int, rounding], result, decimal.divide),
  on('negate', [], result, decimal.negate),
  on('abs', [], result, (self) => (self.unscaled < 0n ? decimal.negate(self) : self)),
  on('max', [number], result, (self, other) => (decimal.compare(self, other) >= 0 ? self : other)),
  on('min', [number], result, (self, other) => (decimal.compare(self, other) <= 0 ? self : other)),
  on('setScale', [int], result, (self, scale) => decimal.withScale(self, scale, 'UNNECESSARY')),
  on('setScale', [int, rounding], result, decimal.withScale),
  on('stripTrailingZeros', [], result, decimal.stripZeros),
  on('compareTo', [number], returns.int, decimal.compare),
  on('signum', [], returns.int, ({ unscaled }) => (unscaled > 0n ? 1 : unscaled < 0n ? -1 : 0)),
  on('scale', [], returns.int, ({ scale }) => scale),
  on('precision', [], returns.int, ({ unscaled }) => decimal.digitCount(unscaled)),
  on('intValue', [], returns.int, decimal.toInt),
  on('longValue', [], returns.long, decimal.toLong),
  on('doubleValue', [], returns.double, decimal.toDouble),
  on('toString', [], returns.text, decimal.renderDecimal),
  on('toPlainString', [], returns.text, decimal.renderPlainly),
]);

export const bigDecimalStatics: readonly Method[] = [
  onClass('valueOf', [long], result, (value) => bigDecimal(BigInt(value))),
  onClass('valueOf', [long, int], result, (value, scale) => bigDecimal(BigInt(value), scale)),
  onClass('valueOf', [double], result, (value) => parse(renderDouble(value))),
];

export const bigDecimalConstructors: readonly Method[] = charged([
  onClass('BigDecimal', [int], result, (value) => bigDecimal(BigInt(value))),
  onClass('BigDecimal', [long], result, (value) => bigDecimal(BigInt(value))),
  onClass('BigDecimal', [double], result, (value) => decimal.exactDecimal(value) ?? parse(String(value))),
  onClass('BigDecimal', [text], result, parse, {
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
