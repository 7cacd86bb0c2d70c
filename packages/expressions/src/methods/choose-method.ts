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
  for (const fits of [fitsStrictly, fitsLoosely]) {
    const chosen = methods.find((method) => acceptsAll(method, receiver, args, fits));
    if (chosen) return chosen;
  }
  return methods.find((method) => method.isVariadic && acceptsVariadic(method, receiver, args));
}

/** The parameters of all overloads, such as `(int) or (String, int)`. */
export function renderSignatures(methods: readonly Method[], receiver: JavaType): string {
  return methods.map((method) => renderParameters(method, receiver)).join(' or ');
}

export function renderParameters({ parameters, isVariadic }: Method, receiver: JavaType): string {
  const shown = parameters.map((parameter) => renderParameter(parameter, receiver));
  return `(${shown.join(', ')}${isVariadic ? '…' : ''})`;
}

type Fits = (parameter: Parameter, receiver: JavaType, args: JavaType) => boolean;

function acceptsAll(
  { parameters, isVariadic }: Method,
  receiver: JavaType,
  args: readonly ArgumentType[],
  fits: Fits,
): boolean {
  if (isVariadic || parameters.length !== args.length) return false;
  return parameters.every((parameter, index) => fitsOne(parameter, receiver, args[index]!, fits));
}

function acceptsVariadic({ parameters }: Method, receiver: JavaType, args: readonly ArgumentType[]): boolean {
  const fixed = parameters.length - 1;
  if (args.length < fixed) return false;
  return args.every((one, index) => fitsOne(parameters[Math.min(index, fixed)]!, receiver, one, fitsLoosely));
}

function fitsOne(parameter: Parameter, receiver: JavaType, args: ArgumentType, fits: Fits): boolean {
  if (args === 'lambda' || parameter.kind === 'lambda') return args === 'lambda' && parameter.kind === 'lambda';
  return fits(parameter, receiver, args);
}

const fitsStrictly: Fits = (parameter, receiver, args) =>
  parameter.kind === 'anything' ? isReference(args) : isStrictlyCompatible(args, wanted(parameter, receiver));

const fitsLoosely: Fits = (parameter, receiver, args) =>
  parameter.kind === 'anything' || isLooselyCompatible(args, wanted(parameter, receiver));

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
      const to = parameter.returns === 'anything' ? '…' : renderType(parameter.returns);
      return `${renderType(elementOf({ receiver }))} -> ${to}`;
    }
  }
}
