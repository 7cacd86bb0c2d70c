// Finds what a subscription would send for a change, or why it would send nothing. Judges, evaluates and renders with
// the code of matching. Stores and sends nothing.

import type { Evaluation } from '@flaghoist/expressions';
import { type Clock, renderDateTime } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { type Evaluating, evaluateCandidates, type Match, type Suppressed } from '../../match/evaluate-candidates.ts';
import { type Candidate, judgeCandidates } from '../../match/judge-candidate.ts';
import type { Model } from '../../model/object-type.ts';
import type { ActionHandler } from '../../objects/action-call.ts';
import type { Objects } from '../../objects/objects.ts';
import { textOf } from '../../render/body.ts';
import type { SandboxTurns } from '../../scripts/sandbox-turns.ts';
import type { BodyOptions } from '../../shape/default-body.ts';
import type { Engines } from '../../shape/shape-matches.ts';
import type { RetrySettings } from '../../subscriptions/channel/retry-policy.ts';
import { subscribableTypes } from '../../subscriptions/subscribable-types.ts';
import { type DecisionReason, explain, nameState } from '../verdict/decision-reasons.ts';
import { explainTrace } from '../verdict/traced-condition.ts';
import { findChange, type TriedChange } from './dry-run-change.ts';
import { readTested, type Tested } from './dry-run-subscription.ts';
import { type Retries, retriesAfter } from './retries-after.ts';
import { type ShapingParts, shapeTried } from './shape-tried.ts';

export interface DryRunParts extends BodyOptions {
  database: Database;
  model: Model;
  objects: Pick<Objects, 'rehearse'>;
  clock: Clock;
  engines: Engines;
  turns: SandboxTurns;
  retrySettings: RetrySettings;
  scriptBytesMax: number;
}

export function dryRun(parts: DryRunParts): ActionHandler {
  const types = subscribableTypes(parts.model);
  const testing = { ...parts, types };
  const changing = { model: parts.model, types, now: () => renderDateTime(parts.clock.now()) };
  return async (call) => {
    const tested = await readTested(testing, call);
    const tried = await parts.database.transaction(call.caller, async ({ run }) => {
      const change = await findChange(changing, call, tested.subscription, run);
      return tryChange(change, tested, { run, model: parts.model, links: parts.links });
    });
    // Scripts and stylesheets run after the transaction has ended.
    return JSON.stringify(await describe({ ...testing, userKey: call.caller.userKey }, tested, tried));
  };
}

interface DryRun {
  isNotified: boolean;
  reason: DecisionReason | 'BODY_TOO_LARGE' | 'STYLESHEET_ERROR';
  message: string;
  subscribedObjectKey: number;
  channelType: string;
  url: string;
  contentType: string | null;
  body: string | null;
  subject: string | null;
  log: readonly string[] | null;
  evaluation: Evaluation | null;
  retries: Retries | null;
}

type RunParts = DryRunParts & ShapingParts;

async function describe(parts: RunParts, tested: Tested, tried: Tried): Promise<DryRun> {
  const { channelType, url, state, stateMs, plan } = tested;
  const retries = retriesAfter(tested, parts.retrySettings, parts.clock.now());
  const { evaluation } = tried;
  const place = { subscribedObjectKey: tried.candidate.subscribedKey, channelType, url, evaluation, retries };
  const nothing = { ...place, contentType: null, body: null, subject: null, log: plan.script ? [] : null };
  if (state !== 'ACTIVE') return { ...explain('NOT_ACTIVE', nameState(state, stateMs)), ...nothing };
  if (!tried.match) return { ...explain(tried.reason, tried.message), ...nothing };
  const match = { ...tried.match, candidate: tried.candidate };
  const shaped = await shapeTried(parts, plan, match);
  const log = plan.script ? shaped.log : null;
  switch (shaped.kind) {
    case 'suppressed':
      return { ...explain(shaped.reason, shaped.message), ...nothing, log };
    case 'failed': {
      const reason = shaped.isShaping ? 'STYLESHEET_ERROR' : 'BODY_TOO_LARGE';
      return { isNotified: false, reason, message: shaped.message, ...nothing, log };
    }
    case 'rendered': {
      const { contentType, subject } = shaped;
      const body = textOf(shaped.body);
      return { ...explain('NOTIFIED'), message: 'This would be sent.', ...place, contentType, body, subject, log };
    }
  }
}

type Tried = { candidate: Candidate; evaluation: Evaluation | null } & (
  | { match: Match }
  | { match?: undefined; reason: DecisionReason; message: string | null }
);

/** Of several candidates, prefers one that would be notified. */
async function tryChange(
  { candidates, loadedAs }: TriedChange,
  { traced }: Tested,
  evaluating: Evaluating,
): Promise<Tried> {
  const rejected = await judgeCandidates(candidates, evaluating.run);
  const accepted = candidates.filter((candidate) => !rejected.has(candidate));
  const traces = accepted.map((candidate) => traced(loadedAs(candidate)));
  const evaluated = await evaluateCandidates(
    traces.map(({ candidate }) => candidate),
    evaluating,
  );
  const explain = (index: number) => explainTrace(traces[index]!.trace());
  for (const [index, match] of evaluated.entries())
    if (match.kind === 'match') return { candidate: accepted[index]!, match, evaluation: explain(index).evaluation };
  const candidate = candidates[0]!;
  const rule = rejected.get(candidate);
  if (rule) return { candidate, reason: rule, message: null, evaluation: null };
  const { reason, message } = evaluated[0] as Suppressed;
  const { evaluation, decision } = explain(0);
  return { candidate, reason, message: message ?? decision, evaluation };
}
