// The static methods of Math, one row per overload, narrow types first.

import { JavaFailure } from '../run/java-failure.ts';
import {
  addLong,
  divideLong,
  doubleToInt,
  doubleToLong,
  type Long,
  multiplyLong,
  negations,
  remainderLong,
  subtractLong,
} from '../run/java-number.ts';
import { type Method, methodsOf, signatureTypes } from './method.ts';

const on = methodsOf<[]>();
const { double, float, int, long } = signatureTypes;

export const mathMethods: readonly Method[] = [
  on('abs', [int], int, (value) => Math.abs(value) | 0),
  on('abs', [long], long, (value) => (value < 0 ? negations.long(value) : value)),
  on('abs', [float], float, Math.abs),
  on('abs', [double], double, Math.abs),
  on('max', [int, int], int, larger),
  on('max', [long, long], long, (left, right) => (left > right ? left : right)),
  on('max', [float, float], float, larger),
  on('max', [double, double], double, larger),
  on('min', [int, int], int, smaller),
  on('min', [long, long], long, (left, right) => (left < right ? left : right)),
  on('min', [float, float], float, smaller),
  on('min', [double, double], double, smaller),
  on('round', [float], int, (value) => doubleToInt(Math.floor(value + 0.5))),
  on('round', [double], long, (value) => doubleToLong(round(value))),
  on('signum', [float], float, Math.sign),
  on('signum', [double], double, Math.sign),
  on('floorDiv', [int, int], int, (left, right) => Number(floorDivide(left, right)) | 0),
  on('floorDiv', [long, long], long, floorDivide),
  on('floorMod', [int, int], int, (left, right) => Number(floorRemainder(left, right))),
  on('floorMod', [long, int], int, (left, right) => Number(floorRemainder(left, right))),
  on('floorMod', [long, long], long, floorRemainder),
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
  on('pow', [double, double], double, (base, exponent) => base ** exponent),
  on('hypot', [double, double], double, (left, right) => Math.hypot(left, right)),
  on('atan2', [double, double], double, Math.atan2),
];

function onDouble(name: string, compute: (value: number) => number): Method {
  return on(name, [double], double, compute);
}

function larger(left: number, right: number): number {
  return Math.max(left, right);
}

function smaller(left: number, right: number): number {
  return Math.min(left, right);
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
  checkDivisor(right);
  const quotient = divideLong(left, right);
  const isInexact = multiplyLong(quotient, right) !== left;
  return isInexact && left < 0 !== right < 0 ? subtractLong(quotient, 1) : quotient;
}

function floorRemainder(left: Long, right: Long): Long {
  checkDivisor(right);
  const rest = remainderLong(left, right);
  return rest !== 0 && rest < 0 !== right < 0 ? addLong(rest, right) : rest;
}

function checkDivisor(divisor: Long): void {
  if (divisor === 0) throw new JavaFailure('ArithmeticException', 'division by zero');
}
