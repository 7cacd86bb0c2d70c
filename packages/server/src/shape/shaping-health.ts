// Derives the health of scripts and stylesheets from a batch. Failures count since the last success of the same part. A
// script that suppresses everything says nothing about the stylesheet behind it.

import { storableMessage } from '@flaghoist/source-text';
import type { Statement } from '../database/database.ts';
import type { Shaped } from './shape-matches.ts';
import {
  healShaping,
  lockHealth,
  raiseShapingFailures,
  type ShapingFailure,
  type ShapingPart,
} from './shaping-health-table.ts';

/** `all` is in the order in which the matches were shaped. `hasAlertUrl`: whether to report what keeps failing. */
export function healthStatements(all: readonly Shaped[], hasAlertUrl: boolean): Statement[] {
  const healed = new Map<number, ShapingPart>();
  const failing = new Map<number, ShapingFailure>();
  for (const shaped of all) {
    const { subscriptionKey } = shaped.match;
    const before = failing.get(subscriptionKey);
    const failure = failureOf(shaped);
    if (failure) failing.set(subscriptionKey, { ...failure, failures: (before?.failures ?? 0) + 1 });
    else if (shaped.worked) {
      if (healed.get(subscriptionKey) !== 'stylesheet') healed.set(subscriptionKey, shaped.worked);
      if (shaped.worked === 'stylesheet' || before?.part === 'script') failing.delete(subscriptionKey);
    }
  }
  return statementsOf(healed, [...failing.values()], hasAlertUrl);
}

function failureOf(shaped: Shaped): ShapingFailure | undefined {
  const { subscriptionKey } = shaped.match;
  const once = (part: ShapingPart, message: string) => ({ subscriptionKey, failures: 1, part, message });
  if (shaped.kind === 'failed' && shaped.isShaping) return once('stylesheet', shaped.message);
  if (shaped.kind !== 'suppressed' || shaped.reason !== 'SCRIPT_ERROR') return undefined;
  return once('script', storableMessage(shaped.message ?? ''));
}

function statementsOf(
  healed: ReadonlyMap<number, ShapingPart>,
  failing: readonly ShapingFailure[],
  hasAlertUrl: boolean,
): Statement[] {
  const healedBy = (part: ShapingPart) => [...healed].filter(([, worked]) => worked === part).map(([key]) => key);
  const keys = new Set([...healed.keys(), ...failing.map(({ subscriptionKey }) => subscriptionKey)]);
  if (keys.size === 0) return [];
  return [
    lockHealth([...keys]),
    ...(['script', 'stylesheet'] as const).map((part) => healShaping(healedBy(part), part)),
    ...(failing.length > 0 ? [raiseShapingFailures(failing, hasAlertUrl)] : []),
  ];
}
