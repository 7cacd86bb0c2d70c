// Finds out what the last tokens before an offset are: a value of Java with its type, or a path of a short form. The
// tokens may be the end of an unfinished text.

import { type ExpressionTypes, startContext } from '../check/check-context.ts';
import { check } from '../check/check-java.ts';
import type { Checked } from '../check/checked-tree.ts';
import type { AttributeShape, ObjectShape } from '../input/object-shape.ts';
import { ExpressionSyntaxError, MistakeLimitReached } from '../syntax/mistake.ts';
import { parseJava } from '../syntax/parse-java.ts';
import type { Token } from '../syntax/token.ts';
import { elementOf, type JavaType } from '../typing/java-type.ts';
import { variables } from '../typing/variable.ts';
import { lambdasAround, receiverStart } from './receiver.ts';

/** The tokens of the value at the end of these tokens: a call chain, a path or a literal. */
export function lastOperand(tokens: readonly Token[]): readonly Token[] {
  return tokens.slice(receiverStart(tokens));
}

/** Checks a value of Java. Undefined if the tokens are not Java, or if a mistake makes their type unknown. */
export function checkOperand(
  operand: readonly Token[],
  scope: ReadonlyMap<string, JavaType>,
  types: ExpressionTypes,
): Checked | undefined {
  const end = operand.at(-1)?.end ?? 0;
  try {
    const tree = parseJava([...operand, { kind: 'end', text: '', start: end, end }]);
    const context = startContext('', { ...types, isNullSafe: false, check });
    for (const [name, type] of scope) context.parameters.set(name, { slot: 0, type });
    const checked = check(context, tree);
    return checked.type.kind === 'unknown' ? undefined : checked;
  } catch (error) {
    if (error instanceof ExpressionSyntaxError || error instanceof MistakeLimitReached) return undefined;
    throw error;
  }
}

/** The parameters of the lambdas that are open after these tokens. */
export function scopeAt(tokens: readonly Token[], types: ExpressionTypes): Map<string, JavaType> {
  const scope = new Map<string, JavaType>();
  for (const { parameter, receiver } of lambdasAround(tokens)) {
    const around = checkOperand(receiver, scope, types);
    if (around) scope.set(parameter, elementOf({ receiver: around.type }));
  }
  return scope;
}

export function isJava(tokens: readonly Token[]): boolean {
  return tokens.some(({ text }) => variables.has(text));
}

/** The attribute that a path of a short form leads to. */
export function pathAttribute(path: readonly Token[], type: ObjectShape): AttributeShape | undefined {
  const names = namesOf(path);
  return pathType(names.slice(0, -1), type)?.attributes.get(names.at(-1) ?? '');
}

/** The object that a path of a short form leads to. Without a name, it is the subscribed object. */
export function pathObject(path: readonly Token[], type: ObjectShape): ObjectShape | undefined {
  return pathType(namesOf(path), type);
}

/** The names on a path, without `old` or `prev`. */
function namesOf(path: readonly Token[]): string[] {
  const names = path.filter(({ kind }) => kind === 'name').map(({ text }) => text);
  return /^(old|prev)$/.test(names[0] ?? '') ? names.slice(1) : names;
}

function pathType(names: readonly string[], type: ObjectShape): ObjectShape | undefined {
  return names.reduce<ObjectShape | undefined>((reached, name) => {
    const attribute = reached?.attributes.get(name);
    return attribute?.kind === 'reference' ? attribute.target : undefined;
  }, type);
}
