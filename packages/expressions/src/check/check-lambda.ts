// Checks lambdas. A lambda has one parameter, whose type is the element type of the receiver, and an expression.

import { elementOf } from '../methods/element-type.ts';
import type { Parameter } from '../methods/method.ts';
import type { Tree } from '../syntax/syntax-tree.ts';
import { describeType, isLooselyCompatible, type JavaType } from '../typing/java-type.ts';
import { type CheckContext, isUnknown, reportMistake, typed, variables } from './check-context.ts';
import type { Checked } from './checked-tree.ts';
import { asArgument } from './convert.ts';

/** The type of the node is the result type of the lambda. */
export function checkLambda(
  context: CheckContext,
  { parameter, body, start }: Tree & { kind: 'lambda' },
  wanted: Parameter,
  receiver: JavaType,
): Checked {
  if (context.parameters.has(parameter.text) || variables.has(parameter.text))
    return reportMistake(context, parameter, `"${parameter.text}" is already defined; rename the parameter.`);
  const slot = context.slotCount++;
  const before = context.nodeCount;
  context.parameters.set(parameter.text, { slot, type: elementOf({ receiver }) });
  const result = context.check(context, body);
  context.parameters.delete(parameter.text);
  const weight = context.nodeCount - before;
  const to = wanted.kind === 'lambda' ? wanted.returns : 'anything';
  if (to === 'anything') return typed(result.type, start, { kind: 'lambda', slot, body: result, weight });
  if (!isUnknown(result) && !isLooselyCompatible(result.type, to))
    return reportMistake(
      context,
      body,
      `The lambda returns ${describeType(result.type)}, but ${describeType(to)} is expected.`,
    );
  return typed(to, start, { kind: 'lambda', slot, body: asArgument(result, to), weight });
}
