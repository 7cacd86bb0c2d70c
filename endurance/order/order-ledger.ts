// The balance of a run: every change has its notification, and the first arrivals about each object are in the order of
// the changes. Pure.

import type { Finding } from '../finding.ts';
import type { OrderArrival } from './order-receiver.ts';
import type { OrderRecord } from './order-table.ts';

export interface OrderLedger {
  records: readonly OrderRecord[];
  arrivals: readonly OrderArrival[];
  attemptsMax: number;
}

export interface OrderBalance {
  changes: number;
  delivered: number;
  failed: number;
  arrivals: number;
  /** Requests with an id that had arrived before. */
  repeats: number;
  findings: Finding[];
}

export function balanceOrder({ records, arrivals, attemptsMax }: OrderLedger): OrderBalance {
  const firsts = [...new Set(arrivals.map(({ id }) => id))];
  const accepted = new Set(arrivals.flatMap(({ id, isAccepted }) => (isAccepted ? [id] : [])));
  const count = (status: OrderRecord['status']) => records.filter((record) => record.status === status).length;
  return {
    changes: records.length,
    delivered: count('DELIVERED'),
    failed: count('FAILED'),
    arrivals: arrivals.length,
    repeats: arrivals.length - firsts.length,
    findings: [
      ...records.flatMap((record) => judgeRecord(record, accepted, attemptsMax)),
      ...judgeOrder(firsts, records),
    ],
  };
}

function judgeRecord({ id, sequence, object, status, attempts }: OrderRecord, accepted: Set<string>, most: number) {
  const text = `change ${sequence} of ${object}: ${id}, ${status}, ${attempts} attempts`;
  const findings: Finding[] = [];
  if (id === null) findings.push({ kind: 'notification missing', text });
  if (status === 'PENDING') findings.push({ kind: 'notification left', text });
  if (status === 'DELIVERED' && !accepted.has(id!)) findings.push({ kind: 'delivered to nobody', text });
  if (status === 'FAILED' && attempts! < most) findings.push({ kind: 'failed without cause', text });
  return findings;
}

function judgeOrder(firsts: readonly string[], records: readonly OrderRecord[]): Finding[] {
  const known = new Map(records.map((record) => [record.id, record]));
  const last = new Map<number, number>();
  return firsts.flatMap((id): Finding[] => {
    const record = known.get(id);
    if (!record) return [{ kind: 'notification too many', text: `${id} was sent and is not known` }];
    const before = last.get(record.object) ?? 0;
    last.set(record.object, Math.max(before, record.sequence));
    const text = `${id} of ${record.object} arrived after ${before}`;
    return record.sequence > before ? [] : [{ kind: 'wrong order', text }];
  });
}
