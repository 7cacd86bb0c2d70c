// One completion, as an editor lists and inserts it.

import { renderParameters } from '../methods/choose-method.ts';
import type { Method } from '../methods/method.ts';
import { type JavaType, renderType } from '../typing/java-type.ts';

export interface Completion {
  /**
   * - `attribute`: a getter, or an attribute of a short form
   * - `value`: a variable, a parameter, a class, a constant, or a value of a code
   */
  readonly kind: 'attribute' | 'method' | 'operator' | 'value';
  /** The bare name, such as `getVesselName`. */
  readonly name: string;
  /** The name as it is called, such as `getVesselName()` or `startsWith(String)`. */
  readonly shown: string;
  /** The text that replaces the word, such as `getVesselName()` or `startsWith(`. */
  readonly insert: string;
  /** The type, such as `String` or `List<PortCall>`; empty for an operator. */
  readonly type: string;
  readonly description: string;
}

export function valueCompletion(name: string, type: string): Completion {
  return { kind: 'value', name, shown: name, insert: name, type, description: '' };
}

export function attributeCompletion(name: string, type: JavaType, description: string): Completion {
  return { ...valueCompletion(name, renderType(type)), kind: 'attribute', description };
}

export function getterCompletion(name: string, type: JavaType, description: string): Completion {
  return { ...attributeCompletion(name, type, description), shown: `${name}()`, insert: `${name}()` };
}

export function methodCompletion(method: Method, receiver: JavaType): Completion {
  const args = method.parameters.map((): JavaType => ({ kind: 'unknown' }));
  const { name } = method;
  return {
    kind: 'method',
    name,
    shown: name + renderParameters(method, receiver),
    insert: method.parameters.length === 0 ? `${name}()` : `${name}(`,
    type: renderType(method.returnType({ receiver, args })),
    description: '',
  };
}

export function operatorCompletion(name: string, description: string): Completion {
  return { kind: 'operator', name, shown: name, insert: name, type: '', description };
}
