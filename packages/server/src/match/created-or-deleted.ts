// Finds the subscribed objects that were themselves created or deleted in the transaction of a change. Such an object
// gets a C or D event, so changes in its hierarchy do not count as a U.

import type { Run } from '../database/database.ts';
import { selectCreatedOrDeleted } from '../events/event-table.ts';
import type { Candidate } from './judge-candidate.ts';

/** Looks only at candidates whose subscribed object is not the changed one. Returns names from `pairName`. */
export async function findCreatedOrDeleted(candidates: readonly Candidate[], run: Run): Promise<ReadonlySet<string>> {
  const pairs = new Map<string, { transactionId: number; key: number }>();
  for (const candidate of candidates) {
    if (!candidate.isMain)
      pairs.set(pairName(candidate), { transactionId: candidate.event.transactionId, key: candidate.subscribedKey });
  }
  if (pairs.size === 0) return new Set();
  const [rows = []] = await run(selectCreatedOrDeleted([...pairs.values()]));
  return new Set(rows.map(({ transaction_id, object_key }) => `${transaction_id} ${object_key}`));
}

export function pairName({ event, subscribedKey }: Candidate): string {
  return `${event.transactionId} ${subscribedKey}`;
}
