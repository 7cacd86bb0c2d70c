// Resolves overloaded methods (JLS §15.12.2): first without boxing, then with boxing. The tables list narrow types
// before wide ones, so the first method that fits is the most specific.

import { isPassedLoosely, isPassedStrictly, isReference, type JavaType, renderType } from '../typing/java-type.ts';
import { elementOf } from './element-type.ts';
import type { Method, Parameter } from './method.ts';

/** The type of an argument. The type of a lambda is not known until that of its parameter is. */
export type Passed = JavaType | 'lambda';

export function chooseMethod(
  methods: readonly Method[],
  receiver: JavaType,
  passed: readonly Passed[],
): Method | undefined {
  for (const fits of [fitsStrictly, fitsLoosely]) {
    const chosen = methods.find((method) => takesAll(method, receiver, passed, fits));
    if (chosen) return chosen;
  }
  return methods.find((method) => method.isVariadic && takesMany(method, receiver, passed));
}

/** The parameters of all overloads, such as `(int) or (String, int)`. */
export function renderSignatures(methods: readonly Method[], receiver: JavaType): string {
  return methods.map((method) => renderParameters(method, receiver)).join(' or ');
}

export function renderParameters({ takes, isVariadic }: Method, receiver: JavaType): string {
  const shown = takes.map((parameter) => renderParameter(parameter, receiver));
  return `(${shown.join(', ')}${isVariadic ? '…' : ''})`;
}

type Fits = (parameter: Parameter, receiver: JavaType, passed: JavaType) => boolean;

function takesAll({ takes, isVariadic }: Method, receiver: JavaType, passed: readonly Passed[], fits: Fits): boolean {
  if (isVariadic || takes.length !== passed.length) return false;
  return takes.every((parameter, index) => fitsOne(parameter, receiver, passed[index]!, fits));
}

function takesMany({ takes }: Method, receiver: JavaType, passed: readonly Passed[]): boolean {
  const fixed = takes.length - 1;
  if (passed.length < fixed) return false;
  return passed.every((one, index) => fitsOne(takes[Math.min(index, fixed)]!, receiver, one, fitsLoosely));
}

function fitsOne(parameter: Parameter, receiver: JavaType, passed: Passed, fits: Fits): boolean {
  if (passed === 'lambda' || parameter.kind === 'lambda') return passed === 'lambda' && parameter.kind === 'lambda';
  return fits(parameter, receiver, passed);
}

const fitsStrictly: Fits = (parameter, receiver, passed) =>
  parameter.kind === 'anything' ? isReference(passed) : isPassedStrictly(passed, wanted(parameter, receiver));

const fitsLoosely: Fits = (parameter, receiver, passed) =>
  parameter.kind === 'anything' || isPassedLoosely(passed, wanted(parameter, receiver));

function wanted(parameter: Parameter, receiver: JavaType): JavaType {
  return parameter.kind === 'value' ? parameter.type : elementOf({ receiver });
}

function renderParameter(parameter: Parameter, receiver: JavaType): string {
  switch (parameter.kind) {
    case 'value':
      return renderType(parameter.type);
    case 'anything':
      return 'Object';
    case 'element':
      return renderType(elementOf({ receiver }));
    case 'lambda': {
      const to = parameter.answers === 'anything' ? '…' : renderType(parameter.answers);
      return `${renderType(elementOf({ receiver }))} -> ${to}`;
    }
  }
}
