// The static methods of Math, one row per overload, narrow types first.

import { JavaFailure } from '../run/java-failure.ts';
import {
  divideLong,
  doubleToInt,
  doubleToLong,
  type Long,
  multiplyLong,
  negateLong,
  remainderLong,
  subtractLong,
} from '../run/long-arithmetic.ts';
import { type Method, methodsOf, parameters, returns } from './method.ts';

const on = methodsOf<null>();
const { int, long, float, double } = parameters;

export const mathMethods: readonly Method[] = [
  on('abs', [int], returns.int, (_math, value) => Math.abs(value) | 0),
  on('abs', [long], returns.long, (_math, value) => (value < 0 ? negateLong(value) : value)),
  on('abs', [float], returns.float, (_math, value) => Math.abs(value)),
  on('abs', [double], returns.double, (_math, value) => Math.abs(value)),
  ...forEachNumber('max', (left, right) => (left > right ? left : right), Math.max),
  ...forEachNumber('min', (left, right) => (left < right ? left : right), Math.min),
  on('round', [float], returns.int, (_math, value) => doubleToInt(Math.floor(value + 0.5))),
  on('round', [double], returns.long, (_math, value) => doubleToLong(round(value))),
  on('signum', [float], returns.float, (_math, value) => Math.sign(value)),
  on('signum', [double], returns.double, (_math, value) => Math.sign(value)),
  on('floorDiv', [int, int], returns.int, (_math, left, right) => Number(floorDivide(left, right)) | 0),
  on('floorDiv', [long, long], returns.long, (_math, left, right) => floorDivide(left, right)),
  on('floorMod', [int, int], returns.int, (_math, left, right) => Number(floorRemainder(left, right))),
  on('floorMod', [long, int], returns.int, (_math, left, right) => Number(floorRemainder(left, right))),
  on('floorMod', [long, long], returns.long, (_math, left, right) => floorRemainder(left, right)),
  onDouble('floor', Math.floor),
  onDouble('ceil', Math.ceil),
  onDouble('rint', rint),
  onDouble('sqrt', Math.sqrt),
  onDouble('cbrt', Math.cbrt),
  onDouble('exp', Math.exp),
  onDouble('log', Math.log),
  onDouble('log10', Math.log10),
  onDouble('sin', Math.sin),
  onDouble('cos', Math.cos),
  onDouble('tan', Math.tan),
  onDouble('atan', Math.atan),
  onDouble('toRadians', (value) => value * (Math.PI / 180)),
  onDouble('toDegrees', (value) => value * (180 / Math.PI)),
  on('pow', [double, double], returns.double, (_math, base, exponent) => base ** exponent),
  on('hypot', [double, double], returns.double, (_math, left, right) => Math.hypot(left, right)),
  on('atan2', [double, double], returns.double, (_math, y, x) => Math.atan2(y, x)),
];

function onDouble(name: string, compute: (value: number) => number): Method {
  return on(name, [double], returns.double, (_math, value) => compute(value));
}

function forEachNumber(
  name: string,
  choose: (left: Long, right: Long) => Long,
  chooseFraction: (left: number, right: number) => number,
): Method[] {
  return [
    on(name, [int, int], returns.int, (_math, left, right) => chooseFraction(left, right)),
    on(name, [long, long], returns.long, (_math, left, right) => choose(left, right)),
    on(name, [float, float], returns.float, (_math, left, right) => chooseFraction(left, right)),
    on(name, [double, double], returns.double, (_math, left, right) => chooseFraction(left, right)),
  ];
}

/** Rounds half up. Adding 0.5 instead would round the largest double below 0.5, and odd numbers from 2^52 on. */
function round(value: number): number {
  const whole = Math.floor(value);
  return value - whole >= 0.5 ? whole + 1 : whole;
}

/** Rounds half to even. */
function rint(value: number): number {
  if (!Number.isFinite(value) || Math.abs(value) >= 2 ** 52) return value;
  const whole = Math.floor(value);
  const rest = value - whole;
  const rounded = rest > 0.5 || (rest === 0.5 && whole % 2 !== 0) ? whole + 1 : whole;
  return rounded === 0 && (value < 0 || Object.is(value, -0)) ? -0 : rounded;
}

function floorDivide(left: Long, right: Long): Long {
  refuseZero(right);
  const quotient = divideLong(left, right);
  const isInexact = multiplyLong(quotient, right) !== left;
  return isInexact && left < 0 !== right < 0 ? subtractLong(quotient, 1) : quotient;
}

function floorRemainder(left: Long, right: Long): Long {
  refuseZero(right);
  const rest = remainderLong(left, right);
  return rest !== 0 && rest < 0 !== right < 0 ? subtractLong(rest, negateLong(right)) : rest;
}

function refuseZero(divisor: Long): void {
  if (divisor === 0) throw new JavaFailure('ArithmeticException', 'division by zero');
}
