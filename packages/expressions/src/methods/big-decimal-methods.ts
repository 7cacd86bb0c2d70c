// The instance methods, static methods and constructors of BigDecimal.

import * as decimal from '../run/big-decimal.ts';
import { type BigDecimal, bigDecimal, type Rounding } from '../run/big-decimal.ts';
import { renderDouble } from '../run/java-text.ts';
import { type Meter, spend } from '../run/meter.ts';
import { notNumber } from '../run/parse-number.ts';
import { equalsMethod } from './equality.ts';
import { type Method, methodsOf, parameters, returns } from './method.ts';

const on = methodsOf<BigDecimal>();
const onClass = methodsOf<null>();
const { int, long, double, text, rounding } = parameters;
const result = returns.decimal;

export const bigDecimalMethods: readonly Method[] = charged([
  equalsMethod,
  on('add', [parameters.decimal], result, decimal.add),
  on('subtract', [parameters.decimal], result, (self, other) => decimal.add(self, decimal.negate(other))),
  on('multiply', [parameters.decimal], result, decimal.multiply),
  on('divide', [parameters.decimal], result, (self, other, meter) => {
    // Euclid's algorithm takes a millisecond for a thousand digits, and a few steps for the amounts of an invoice.
    spend(meter, 20 * costOf(other));
    return decimal.divideExactly(self, other);
  }),
  on('divide', [parameters.decimal, rounding], result, (self, other, mode) =>
    decimal.divide(self, other, self.scale, mode as Rounding),
  ),
  on('divide', [parameters.decimal, int, rounding], result, (self, other, scale, mode) =>
    decimal.divide(self, other, scale, mode as Rounding),
  ),
  on('negate', [], result, decimal.negate),
  on('abs', [], result, (self) => (self.unscaled < 0n ? decimal.negate(self) : self)),
  on('max', [parameters.decimal], result, (self, other) => (decimal.compare(self, other) >= 0 ? self : other)),
  on('min', [parameters.decimal], result, (self, other) => (decimal.compare(self, other) <= 0 ? self : other)),
  on('setScale', [int], result, (self, scale) => decimal.withScale(self, scale, 'UNNECESSARY')),
  on('setScale', [int, rounding], result, (self, scale, mode) => decimal.withScale(self, scale, mode as Rounding)),
  on('stripTrailingZeros', [], result, decimal.stripZeros),
  on('compareTo', [parameters.decimal], returns.int, decimal.compare),
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
  onClass('valueOf', [long], result, (_class, value) => bigDecimal(BigInt(value))),
  onClass('valueOf', [long, int], result, (_class, value, scale) => bigDecimal(BigInt(value), scale)),
  onClass('valueOf', [double], result, (_class, value) => parse(renderDouble(value))),
];

export const bigDecimalConstructors: readonly Method[] = charged([
  onClass('BigDecimal', [int], result, (_class, value) => bigDecimal(BigInt(value))),
  onClass('BigDecimal', [long], result, (_class, value) => bigDecimal(BigInt(value))),
  onClass('BigDecimal', [double], result, (_class, value) => decimal.exactDecimal(value) ?? parse(String(value))),
  onClass('BigDecimal', [text], result, (_class, value) => parse(value), {
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
      return (self, ...args) => {
        const meter = args.at(-1) as Meter;
        spend(meter, costOf(self) + costOf(args[0]));
        return run(self, ...args);
      };
    },
  }));
}

function costOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  const { unscaled, scale } = (value ?? small) as BigDecimal;
  if (typeof unscaled !== 'bigint') return 0;
  return unscaled < ordinary && unscaled > -ordinary && Math.abs(scale) < 40 ? 1 : 400;
}

const small = bigDecimal(0n);
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
