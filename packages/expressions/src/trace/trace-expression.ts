// Compiles an expression so that an evaluation records the value of each of its parts. For explanations: it takes
// several times as long as an evaluation, and has the same outcome.

import { checkText, type RejectedExpression } from '../check/check-text.ts';
import { type EvaluatedObjects, evaluator, type Outcome } from '../compile/evaluate.ts';
import type { Run } from '../compile/frame.ts';
import type { ObjectShape } from '../input/object-shape.ts';
import { nameDecision } from './decision-sentence.ts';
import { findDecision } from './decisive-parts.ts';
import { describeEvaluation, type Evaluation } from './evaluation.ts';
import { type Part, partOf } from './parts.ts';
import { createRecorder, type Scope } from './recorder.ts';

export interface TracedExpression {
  readonly kind: 'traced';
  readonly evaluate: (objects: EvaluatedObjects) => ExpressionTrace;
}

export interface ExpressionTrace {
  readonly outcome: Outcome;
  /** `partsMax`: how many parts the tree may have. */
  describe(partsMax?: number): ExplainedOutcome;
}

export interface ExplainedOutcome {
  /** Undefined for an expression that is one literal. */
  readonly evaluation: Evaluation | undefined;
  /** What decided the outcome, in one line. Empty for an expression that is one literal. */
  readonly decision: string;
}

const defaultPartsMax = 300;

/** `hierarchy`: as for `compileExpression`. */
export function traceExpression(
  text: string,
  type: ObjectShape,
  hierarchy: readonly ObjectShape[] = [type],
): TracedExpression | RejectedExpression {
  const checked = checkText(text, { type, hierarchy, keepsSources: true });
  if (checked.kind === 'mistakes') return checked;
  const recorder = createRecorder();
  const evaluate = evaluator(recorder.compile(checked.tree) as Run<boolean>, text);
  const part = partOf(checked.tree);
  return {
    kind: 'traced',
    evaluate: (objects) => {
      const scope = recorder.start();
      const outcome = evaluate(objects);
      return { outcome, describe: (partsMax) => explainOutcome({ text, part, scope, outcome }, partsMax) };
    },
  };
}

interface Traced {
  readonly text: string;
  readonly part: Part | undefined;
  readonly scope: Scope;
  readonly outcome: Outcome;
}

function explainOutcome({ text, part, scope, outcome }: Traced, partsMax = defaultPartsMax): ExplainedOutcome {
  if (!part) return { evaluation: undefined, decision: '' };
  const root = { part, scope };
  const decision = findDecision(root);
  const error = outcome.kind === 'error' ? outcome.message : undefined;
  return {
    evaluation: describeEvaluation(root, { text, decision, error, partsMax }),
    decision: nameDecision(text, decision.decisive),
  };
}
