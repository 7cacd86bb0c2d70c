// Counts what was planned, received and recorded of backlogs, for the ledger.

import type { Ledger } from '../harness/ledger.ts';
import { idOf, type NotificationPlan } from './planned-notifications.ts';
import type { Received } from './sink.ts';

/** Over all rounds, also those that are not timed. `done`: delivered at the first attempt, or answered with 200. */
export class Tally {
  #sums = { planned: 0, received: 0, missing: 0, strange: 0, double: 0, done: 0, undone: 0 };

  add(plan: NotificationPlan, { ids }: Received, { done, undone }: { done: number; undone: number }): void {
    const expected = new Set(Array.from({ length: plan.count }, (_, n) => idOf(plan, n)));
    const distinct = new Set(ids);
    const sums = this.#sums;
    sums.planned += plan.count;
    sums.received += ids.length;
    sums.missing += [...expected].filter((id) => !distinct.has(id)).length;
    sums.strange += [...distinct].filter((id) => !expected.has(id)).length;
    sums.double += ids.length - distinct.size;
    sums.done += done;
    sums.undone += undone;
  }

  keepBooks(ledger: Ledger, who: string): void {
    const { planned, received, missing, strange, double, done, undone } = this.#sums;
    ledger.expect(
      `${who}: received; missing, strange, double`,
      `${planned}; 0, 0, 0`,
      `${received}; ${[missing, strange, double].join(', ')}`,
    );
    ledger.expect(`${who}: delivered, not delivered, by its own account`, `${planned}, 0`, `${done}, ${undone}`);
  }
}
