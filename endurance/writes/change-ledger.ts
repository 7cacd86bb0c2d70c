// The ledger of the clients: every requested change, what it would leave in the history, and the response of the
// service.
// `judgeChanges` compares it with the actual history.
//
//   acknowledged, seen done     all of it must be in the history, once
//   refused, seen undone        none of it may be in the history
//   unknown                     all of it or none of it

import type { Finding } from '../finding.ts';

export interface Change {
  /** `PUT Voyage`. */
  name: string;
  /** The unique mark of each object that it writes. */
  marks: readonly string[];
  /** The keys of the objects that it deletes, as far as the client knows them. */
  removedKeys: readonly number[];
  outcome: Outcome;
}

/** `seen …`: the response was lost, and the object was read afterwards. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown' | 'seen done' | 'seen undone';

export interface FoundHistory {
  /** Mark → number of events that introduced it. */
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
      // An object that this change did not delete may have been deleted by a later one.
      return counts.every((count) => count === 0) ? undefined : { kind: 'refused change made', text: about };
    case 'unknown':
      return isWhole || parts.every((count) => count === 0) ? undefined : { kind: 'half a change', text: about };
  }
}
