// The balance of a run: every change has its notification, the consumer has every notification, and none is delivered
// that the consumer does not have. Pure.

import type { Finding } from '../finding.ts';
import type { StreamRecord } from './stream-table.ts';

export interface StreamLedger {
  records: readonly StreamRecord[];
  /** The ids that the consumer has written down, in this order. */
  taken: readonly string[];
}

export interface StreamBalance {
  changes: number;
  delivered: number;
  taken: number;
  /** Written down again. */
  repeats: number;
  findings: Finding[];
}

export function balanceStream({ records, taken }: StreamLedger): StreamBalance {
  const distinct = new Set(taken);
  const known = new Set(records.map(({ id }) => id));
  const strangers = [...distinct].filter((id) => !known.has(id));
  return {
    changes: records.length,
    delivered: records.filter(({ status }) => status === 'DELIVERED').length,
    taken: taken.length,
    repeats: taken.length - distinct.size,
    findings: [
      ...records.flatMap((record) => judgeRecord(record, distinct)),
      ...strangers.map((id): Finding => ({ kind: 'notification too many', text: `${id} was sent and is not known` })),
    ],
  };
}

function judgeRecord({ id, sequence, status }: StreamRecord, taken: ReadonlySet<string>): Finding[] {
  const text = `change ${sequence}: ${id}, ${status}`;
  if (id === null) return [{ kind: 'notification missing', text }];
  if (status !== 'DELIVERED') return [{ kind: 'notification left', text }];
  return taken.has(id) ? [] : [{ kind: 'delivered to nobody', text }];
}
