// The action `testRecent`: what a subscription, saved or not, would have made of the newest changes that its event types
// cover. Judges, evaluates and renders with the code of matching. Stores and sends nothing.

import type { Evaluation } from '@flaghoist/expressions';
import type { Run } from '../../database/database.ts';
import type { ChangeEvent } from '../../events/change-event.ts';
import { evaluateCandidates } from '../../match/evaluate-candidates.ts';
import type { ActionHandler } from '../../objects/action-call.ts';
import type { ShapingPlan } from '../../shape/shaping-plan.ts';
import { subscribableTypes } from '../../subscriptions/subscribable-types.ts';
import type { DryRunParts } from '../dry-run/dry-run.ts';
import { readTested, type Tested } from '../dry-run/dry-run-subscription.ts';
import { explain } from '../verdict/decision-reasons.ts';
import { type JudgedChange, judgeRecent } from './judge-recent.ts';
import { nameChanged } from './name-changed.ts';
import { findRecentChanges } from './recent-changes.ts';
import { type MatchToShape, type ShapedChange, shapeRecent, toShapeMax, unshaped } from './shape-recent.ts';

export function testRecent(parts: DryRunParts): ActionHandler {
  const types = subscribableTypes(parts.model);
  const testing = { ...parts, types };
  return async (call) => {
    const tested = await readTested(testing, call);
    const changesMax = Number(call.given.get('limit'));
    const { judged, names, matches } = await parts.database.transaction(call.caller, ({ run }) =>
      judge(testing, tested, changesMax, run),
    );
    // Scripts and stylesheets run after the transaction has ended.
    const shaped = await shapeRecent({ ...testing, userKey: call.caller.userKey }, tested.plan, matches);
    const changes = judged.map((each) => {
      const outcome = each.isMatch ? (shaped.get(each) ?? unshaped(tested.plan)) : whyNot(each, tested.plan);
      return describe(each, names.get(each.change.event) ?? null, outcome);
    });
    const matched = changes.filter(({ isMatch }) => isMatch).length;
    return JSON.stringify({ changes, matched, examined: changes.length });
  };
}

interface Judged {
  /** Newest first. */
  judged: readonly JudgedChange[];
  names: ReadonlyMap<ChangeEvent, string | null>;
  /** The newest matches, with what they are shaped from. */
  matches: readonly MatchToShape[];
}

type JudgingParts = Pick<DryRunParts, 'model' | 'links'> & { types: ReturnType<typeof subscribableTypes> };

async function judge(parts: JudgingParts, tested: Tested, changesMax: number, run: Run): Promise<Judged> {
  const { model, links, types } = parts;
  const changes = await findRecentChanges({ model, types }, tested.subscription, changesMax, run);
  const evaluating = { run, model, links };
  const judged = await judgeRecent(changes, tested, evaluating);
  const names = await nameChanged(
    changes.map(({ event }) => event),
    { ...evaluating, types },
  );
  const newest = judged.filter(({ isMatch }) => isMatch).slice(0, toShapeMax(tested.plan));
  const results = await evaluateCandidates(
    newest.map(({ candidate }) => candidate),
    evaluating,
  );
  return { judged, names, matches: newest.map((each, index) => ({ judged: each, result: results[index]! })) };
}

interface RecentRow extends ShapedChange {
  /** The id of the event. */
  id: number;
  event: string;
  objectType: string;
  objectKey: number;
  name: string | null;
  occurredAt: string;
  subscribedObjectType: string;
  subscribedObjectKey: number;
  evaluation: Evaluation | null;
}

function describe(judged: JudgedChange, name: string | null, outcome: ShapedChange): RecentRow {
  const { event } = judged.change;
  const { type, subscribedKey } = judged.candidate;
  return {
    id: event.id,
    event: `${event.type.name}.${event.operation}`,
    objectType: event.type.name,
    objectKey: event.key,
    name,
    occurredAt: event.occurredAt,
    subscribedObjectType: type.name,
    subscribedObjectKey: subscribedKey,
    evaluation: judged.isMatch ? null : judged.explained.evaluation,
    ...outcome,
  };
}

function whyNot({ reason, message }: JudgedChange & { isMatch: false }, { script }: ShapingPlan): ShapedChange {
  return { isMatch: false, reason, message: explain(reason, message).message, body: null, log: script ? [] : null };
}
