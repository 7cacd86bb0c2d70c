// The books of the clients: every change that was asked for, what it would leave in the history, and what the service
// said of it. `judgeChanges` compares them with the history that is found.
//
//   acknowledged, seen done     everything of it must be there, once
//   refused, seen undone        nothing of it may be there
//   unknown                     all of it or nothing

import type { Finding } from '../finding.ts';

export interface Change {
  /** `PUT Voyage`. */
  name: string;
  /** The mark of each object that it writes; no other change ever writes the same. */
  marks: readonly string[];
  /** The keys of the objects that it removes, as far as the client knows them. */
  removedKeys: readonly number[];
  outcome: Outcome;
}

/** `seen …`: the answer was lost, and the object was read afterwards. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown' | 'seen done' | 'seen undone';

export interface FoundHistory {
  /** How many events brought in each mark. */
  marks: ReadonlyMap<string, number>;
  /** The objects that have a delete event. */
  deletedKeys: ReadonlySet<number>;
}

export function judgeChanges(changes: readonly Change[], found: FoundHistory): Finding[] {
  return changes.flatMap((change) => judgeChange(change, found) ?? []);
}

function judgeChange(change: Change, found: FoundHistory): Finding | undefined {
  const { name, marks, removedKeys, outcome } = change;
  const counts = marks.map((mark) => found.marks.get(mark) ?? 0);
  const about =
    `${name} (${outcome}), marks ${marks.join(' ')}, removed ` + `${removedKeys.join(' ')}: found ${counts.join(' ')}`;
  if (counts.some((count) => count > 1)) return { kind: 'change made twice', text: about };
  const parts = [...counts, ...removedKeys.map((key) => (found.deletedKeys.has(key) ? 1 : 0))];
  const isWhole = parts.every((count) => count === 1);
  switch (outcome) {
    case 'acknowledged':
    case 'seen done':
      return isWhole ? undefined : { kind: 'lost change', text: about };
    case 'refused':
    case 'seen undone':
      // What was not removed by this change may have been by a later one.
      return counts.every((count) => count === 0) ? undefined : { kind: 'refused change made', text: about };
    case 'unknown':
      return isWhole || parts.every((count) => count === 0) ? undefined : { kind: 'half a change', text: about };
  }
}
