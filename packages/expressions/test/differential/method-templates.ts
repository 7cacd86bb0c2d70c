// Makes a template for every method in the tables, so that a new method is never forgotten. Methods whose result
// depends on the version of Java, or whose arguments need more than the right type, have templates in `templates.ts`.

import { classNames, findClass, methodsOn } from '../../src/methods/known-classes.ts';
import type { Method, Parameter } from '../../src/methods/method.ts';
import { boxOf, elementOf, type JavaType, nullType, primitive, renderType } from '../../src/typing/java-type.ts';
import { type Kind, kindOf, valueTypes } from './kind.ts';

export interface MethodTemplate {
  readonly answer: Kind;
  readonly text: string;
}

export function makeMethodTemplates(): MethodTemplate[] {
  const ofValues = valueTypes.flatMap(([kind, type]) =>
    methodsOn(type).flatMap((method) => templatesOf(method, type, `{${kind}}.${method.name}`)),
  );
  const ofClasses = classNames().flatMap((name) => {
    const { statics, constructors } = findClass(name)!;
    return [
      ...statics.flatMap((method) => templatesOf(method, nullType, `${name}.${method.name}`)),
      ...constructors.flatMap((method) => templatesOf(method, nullType, `new ${name}`)),
    ];
  });
  return [...ofValues, ...ofClasses];
}

function templatesOf(method: Method, receiver: JavaType, called: string): MethodTemplate[] {
  if (isByHand(called, method)) return [];
  return objectTypes(method).flatMap((object) => {
    const passed = method.parameters.map((parameter) => passedAs(parameter, receiver, object));
    const answer = kindOf(method.returnType({ receiver, args: passed.map(({ type }) => type) }));
    if (answer === undefined) return [];
    const text = `${called}(${passed.map(({ text: part }) => part).join(', ')})`;
    // The last digit of these is not specified.
    return [isInexact(called) ? { answer: 'float', text: `((float) ${text})` } : { answer, text }];
  });
}

function isByHand(called: string, { isVariadic, parameters: [first] }: Method): boolean {
  if (isVariadic || byHand.has(called)) return true;
  const taken = first ? renderParameter(first) : '';
  return byHand.has(`${called}(${taken})`);
}

const byHand = new Set([
  ...[
    'Double.toString',
    '{Double}.toString',
    '{Float}.toString',
    'Objects.requireNonNullElse',
    '{StringStream}.flatMap',
  ],
  // A constant is checked when the expression is saved.
  'new BigDecimal(String)',
  'new Date()',
  'BigDecimal.valueOf(double)',
  ...['{String}.matches', '{String}.replaceAll', '{String}.replaceFirst', '{String}.split'],
]);

function isInexact(called: string): boolean {
  return /^Math\.(cbrt|exp|log|log10|sin|cos|tan|atan|atan2|hypot|pow|toRadians|toDegrees)$/.test(called);
}

interface Passed {
  readonly text: string;
  readonly type: JavaType;
}

/** The types that are passed for Java's Object. The text of doubles is tested by `doubleText`. */
function objectTypes({ parameters, name }: Method): readonly JavaType[] {
  if (!parameters.some(({ kind }) => kind === 'anything')) return [nullType];
  const types = valueTypes.filter(([kind]) =>
    ['int', 'String', 'Boolean', 'Long', 'char', 'BigDecimal'].includes(kind),
  );
  const dates = valueTypes.filter(([kind]) => ['Date', 'Double', 'StringList'].includes(kind));
  const hasText = name === 'valueOf' || name === 'toString';
  return [...types, ...(hasText ? [] : dates)].map(([, type]) => type);
}

function passedAs(parameter: Parameter, receiver: JavaType, object: JavaType): Passed {
  switch (parameter.kind) {
    case 'value':
      return {
        text: `{${renderParameter(parameter) === 'int' ? 'small' : kindOf(parameter.type)}}`,
        type: parameter.type,
      };
    case 'anything':
      return { text: `{${kindOf(object)}}`, type: boxOf(object) };
    case 'element':
      return { text: `{${kindOf(elementOf({ receiver }))}}`, type: elementOf({ receiver }) };
    case 'lambda': {
      const to = parameter.returns === 'anything' ? primitive('int') : parameter.returns;
      return { text: `<${kindOf(elementOf({ receiver }))}:${kindOf(to)}>`, type: to };
    }
  }
}

function renderParameter(parameter: Parameter): string {
  return parameter.kind === 'value' ? renderType(parameter.type) : '';
}
