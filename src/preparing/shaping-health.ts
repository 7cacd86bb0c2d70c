// What a batch says of how scripts and stylesheets fare: a failure counts from the last time on that the same part did what it should. A
// script that lets nothing through says nothing of the stylesheet behind it.

import type { Statement } from '../database/database.ts';
import { recordable } from '../json/printable.ts';
import {
  healShaping,
  lockHealth,
  raiseShapingFailures,
  type ShapingFailure,
  type ShapingPart,
} from '../notifications/shaping-health-table.ts';
import type { Prepared } from './prepare-drafts.ts';

/** In the order in which they were prepared. */
export function healthStatements(all: readonly Prepared[]): Statement[] {
  const healed = new Map<number, ShapingPart>();
  const failing = new Map<number, ShapingFailure>();
  for (const prepared of all) {
    const { subscriptionKey } = prepared.draft;
    const before = failing.get(subscriptionKey);
    const failure = failureOf(prepared);
    if (failure) failing.set(subscriptionKey, { ...failure, failures: (before?.failures ?? 0) + 1 });
    else if (prepared.worked) {
      if (healed.get(subscriptionKey) !== 'stylesheet') healed.set(subscriptionKey, prepared.worked);
      if (prepared.worked === 'stylesheet' || before?.part === 'script') failing.delete(subscriptionKey);
    }
  }
  return statementsOf(healed, [...failing.values()]);
}

function failureOf(prepared: Prepared): ShapingFailure | undefined {
  const { subscriptionKey } = prepared.draft;
  const once = (part: ShapingPart, message: string) => ({ subscriptionKey, failures: 1, part, message });
  if (prepared.kind === 'failed' && prepared.isShaping) return once('stylesheet', prepared.message);
  if (prepared.kind !== 'heldBack' || prepared.reason !== 'SCRIPT_ERROR') return undefined;
  return once('script', recordable(prepared.message ?? ''));
}

function statementsOf(healed: ReadonlyMap<number, ShapingPart>, failing: readonly ShapingFailure[]): Statement[] {
  const healedBy = (part: ShapingPart) => [...healed].filter(([, worked]) => worked === part).map(([key]) => key);
  const keys = new Set([...healed.keys(), ...failing.map(({ subscriptionKey }) => subscriptionKey)]);
  if (keys.size === 0) return [];
  return [
    lockHealth([...keys]),
    ...(['script', 'stylesheet'] as const).map((part) => healShaping(healedBy(part), part)),
    ...(failing.length > 0 ? [raiseShapingFailures(failing)] : []),
  ];
}
