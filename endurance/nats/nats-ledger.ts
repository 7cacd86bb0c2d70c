// The balance of a run: every change is in the stream, once. Pure.

import type { Finding } from '../finding.ts';
import type { OrderRecord } from '../order/order-table.ts';
import type { StoredMessage } from './nats-client.ts';

export interface NatsBalance {
  changes: number;
  delivered: number;
  failed: number;
  /** Messages in the stream. */
  stored: number;
  /** Changes whose notification needed more than one attempt. */
  repeated: number;
  findings: Finding[];
}

export function balanceNats(records: readonly OrderRecord[], stored: readonly StoredMessage[]): NatsBalance {
  const counts = new Map<string, number>();
  for (const { headers } of stored) {
    const id = headers['webhook-id'] ?? '';
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const known = new Set(records.map(({ id }) => id));
  const strangers = [...counts.keys()].filter((id) => !known.has(id));
  return {
    changes: records.length,
    delivered: records.filter(({ status }) => status === 'DELIVERED').length,
    failed: records.filter(({ status }) => status === 'FAILED').length,
    stored: stored.length,
    repeated: records.filter(({ attempts }) => (attempts ?? 0) > 1).length,
    findings: [
      ...records.flatMap((record) => judgeRecord(record, counts.get(record.id ?? '') ?? 0)),
      ...strangers.map((id): Finding => ({ kind: 'notification too many', text: id })),
    ],
  };
}

function judgeRecord({ id, sequence, status, attempts }: OrderRecord, stored: number): Finding[] {
  const text = `change ${sequence}: ${id}, ${status}, ${attempts} attempts, ${stored} times in the stream`;
  if (id === null) return [{ kind: 'notification missing', text }];
  if (status === 'FAILED') return [{ kind: 'failed without cause', text }];
  if (status === 'PENDING') return [{ kind: 'notification left', text }];
  if (stored === 0) return [{ kind: 'delivered to nobody', text }];
  return stored > 1 ? [{ kind: 'notification twice', text }] : [];
}
