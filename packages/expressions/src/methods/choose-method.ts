// Resolves overloaded methods (JLS §15.12.2): first without boxing, then with boxing. The tables list narrow types
// before wide ones, so the first method that fits is the most specific.

import {
  elementOf,
  isLooselyCompatible,
  isReference,
  isStrictlyCompatible,
  type JavaType,
  renderType,
} from '../typing/java-type.ts';
import type { Method, Parameter } from './method.ts';

/** The type of an argument. The type of a lambda is not known until that of its parameter is. */
export type ArgumentType = JavaType | 'lambda';

export function chooseMethod(
  methods: readonly Method[],
  receiver: JavaType,
  args: readonly ArgumentType[],
): Method | undefined {
  const fixed = methods.filter(({ isVariadic, parameters }) => !isVariadic && parameters.length === args.length);
  const variadic = methods.filter(({ isVariadic, parameters }) => isVariadic && args.length >= parameters.length - 1);
  const attempts = [
    [fixed, isStrictlyCompatible],
    [fixed, isLooselyCompatible],
    [variadic, isLooselyCompatible],
  ] as const;
  for (const [candidates, isCompatible] of attempts) {
    const chosen = candidates.find((method) =>
      args.every((arg, index) => accepts(parameterAt(method, index), receiver, arg, isCompatible)),
    );
    if (chosen) return chosen;
  }
  return undefined;
}

/** The parameter that takes the argument. All further arguments of a variadic method belong to its last parameter. */
export function parameterAt({ parameters }: Method, index: number): Parameter {
  return parameters[Math.min(index, parameters.length - 1)]!;
}

function accepts(
  parameter: Parameter,
  receiver: JavaType,
  arg: ArgumentType,
  isCompatible: (from: JavaType, to: JavaType) => boolean,
): boolean {
  if (arg === 'lambda' || parameter.kind === 'lambda') return arg === parameter.kind;
  if (parameter.kind === 'anything') return isReference(arg) || isCompatible === isLooselyCompatible;
  return isCompatible(arg, parameter.kind === 'value' ? parameter.type : elementOf({ receiver }));
}

/** The parameters of all overloads, such as `(int) or (String, int)`. */
export function renderSignatures(methods: readonly Method[], receiver: JavaType): string {
  return methods.map((method) => renderParameters(method, receiver)).join(' or ');
}

export function renderParameters({ parameters, isVariadic }: Method, receiver: JavaType): string {
  const shown = parameters.map((parameter) => renderParameter(parameter, receiver));
  return `(${shown.join(', ')}${isVariadic ? '…' : ''})`;
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
      const to = parameter.returns === 'anything' ? '…' : renderType(parameter.returns);
      return `${renderType(elementOf({ receiver }))} -> ${to}`;
    }
  }
}
