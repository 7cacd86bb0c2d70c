// Makes random expressions that Java accepts, from templates. Each has two forms, ours and Java's. They differ only
// where `==` compares references by value, which is `Objects.equals` in Java.

import type { Dice } from './dice.ts';
import type { Kind } from './kind.ts';
import type { MethodTemplate } from './method-templates.ts';
import { conditions, methodTemplates, templates } from './templates.ts';

export interface Twofold {
  readonly ours: string;
  readonly java: string;
}

/** The state while an expression is made: the dice, the parameters of enclosing lambdas, and the remaining depth. */
interface Making {
  readonly dice: Dice;
  readonly parameters: readonly { readonly name: string; readonly kind: string }[];
  readonly depth: number;
}

export function randomExpression(dice: Dice): Twofold {
  return make({ dice, parameters: [], depth: 2 + dice.below(4) }, 'boolean');
}

/** Two expressions for each method, up to the count, and then random ones. */
export function randomExpressions(dice: Dice, count: number): Twofold[] {
  const around = [...methodTemplates, ...methodTemplates].map((method) => expressionAround(dice, method));
  return Array.from({ length: count }, (_, index) => around[index] ?? randomExpression(dice));
}

/** A small expression around one method. */
function expressionAround(dice: Dice, { answer, text }: MethodTemplate): Twofold {
  return fill(
    { dice, parameters: [], depth: dice.below(3) },
    conditions[answer]!.replace('#', () => text),
  );
}

function make(making: Making, kind: Kind): Twofold {
  const { dice, parameters, depth } = making;
  const fitting = parameters.filter((parameter) => parameter.kind === kind);
  if (fitting.length > 0 && dice.isLucky(0.6)) return same(dice.pick(fitting).name);
  const { leaves, branches } = templates[kind];
  const isLeaf = depth <= 0 || (dice.isLucky(0.15) && kind !== 'boolean');
  return fill(
    { ...making, depth: depth - 1 },
    dice.pick(isLeaf ? leaves : dice.isLucky(0.4) ? methodsOf(kind) : branches),
  );
}

function methodsOf(kind: Kind): readonly string[] {
  return methodsByAnswer.get(kind) ?? templates[kind].branches;
}

const methodsByAnswer = new Map<Kind, string[]>();
for (const { answer, text } of methodTemplates)
  methodsByAnswer.set(answer, [...(methodsByAnswer.get(answer) ?? []), text]);

/** `{int}` is a part of that kind, `<PortCall:boolean>` a lambda, `[Date == Date]` a comparison by value. */
function fill(making: Making, template: string): Twofold {
  let [ours, java] = ['', ''];
  let copied = 0;
  for (const match of template.matchAll(/\{([A-Za-z]{3,})\}|<(\w+):(\w+)>|\[(\w+) ([!=]=) (\w+)\]/g)) {
    const between = template.slice(copied, match.index);
    const [, kind, element, answer, left, operator, right] = match;
    const part = kind
      ? makeOf(making, kind)
      : element
        ? lambda(making, element, answer as Kind)
        : sameness(make(making, left as Kind), operator!, make(making, right as Kind));
    ours += between + part.ours;
    java += between + part.java;
    copied = match.index + match[0].length;
  }
  return { ours: ours + template.slice(copied), java: java + template.slice(copied) };
}

/**
 * `test` prevents constant folding by javac, which crashes on the null of `true ? null : 1`.
 * `doubleText` and `decimalOfDouble` use the digits of JDK 19; earlier versions had one too many for some doubles.
 * `small` is an int that keeps texts and numbers small, because Java has no limits.
 */
function makeOf(making: Making, kind: string): Twofold {
  if (kind === 'test') {
    const { ours, java } = make(making, 'boolean');
    return { ours, java: `is(${java})` };
  }
  if (kind === 'small')
    return same(making.dice.pick(['0', '1', '2', '3', '7', '(-1)', 'svcObject.getPortCalls().size()']));
  if (kind === 'decimalOfDouble') {
    const { ours, java } = make(making, 'double');
    return { ours: `BigDecimal.valueOf(${ours})`, java: `new BigDecimal(text(${java}))` };
  }
  if (kind === 'doubleText') return makeDoubleText(making);
  return make(making, kind as Kind);
}

function makeDoubleText(making: Making): Twofold {
  if (making.dice.isLucky(0.3)) {
    const { ours, java } = make(making, 'Double');
    return { ours: `("" + ${ours})`, java: `text(${java})` };
  }
  const { ours, java } = make(making, 'double');
  const written = ['("" + #)', 'String.valueOf(#)', 'Double.toString(#)', 'Double.valueOf(#).toString()'];
  return { ours: making.dice.pick(written).replace('#', () => ours), java: `text(${java})` };
}

function lambda(making: Making, kind: string, answer: Kind): Twofold {
  const name = `p${making.parameters.length}`;
  const body = make({ ...making, parameters: [...making.parameters, { name, kind }] }, answer);
  return { ours: `${name} -> ${body.ours}`, java: `${name} -> ${body.java}` };
}

function sameness(left: Twofold, operator: string, right: Twofold): Twofold {
  const equal = `Objects.equals(${left.java}, ${right.java})`;
  return { ours: `(${left.ours} ${operator} ${right.ours})`, java: operator === '==' ? equal : `(!${equal})` };
}

function same(text: string): Twofold {
  return { ours: text, java: text };
}
