// Which subscribed objects were themselves created or deleted in the transaction of a change: that is a C or D of them, so what
// happened in their hierarchy is no U.

import type { Run } from '../database/database.ts';
import { selectBegunOrEnded } from '../events/event-table.ts';
import type { Candidate } from './judge-candidate.ts';

/** By `pairName`. Of the candidates that hear of their hierarchy alone. */
export async function findBegunOrEnded(candidates: readonly Candidate[], run: Run): Promise<ReadonlySet<string>> {
  const pairs = new Map<string, { transactionId: number; key: number }>();
  for (const candidate of candidates) {
    if (!candidate.isMain)
      pairs.set(pairName(candidate), { transactionId: candidate.event.transactionId, key: candidate.subscribedKey });
  }
  if (pairs.size === 0) return new Set();
  const [rows = []] = await run(selectBegunOrEnded([...pairs.values()]));
  return new Set(rows.map(({ transaction_id, object_key }) => `${transaction_id} ${object_key}`));
}

export function pairName({ event, subscribedKey }: Candidate): string {
  return `${event.transactionId} ${subscribedKey}`;
}
