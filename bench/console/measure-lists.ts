// Measures the lists of a console in turns, one request at a time, and checks how many objects each answers.

import type { DrivenLoad, LoadDriver } from '../harness/drive-load.ts';
import type { Ledger } from '../harness/ledger.ts';
import { failureCount } from '../harness/load.ts';
import { measureInRounds, type RoundPlan } from '../harness/rounds.ts';
import type { Server } from '../rest/servers.ts';
import type { ConsoleList } from './console-lists.ts';

export interface MeasuredList {
  list: ConsoleList;
  rounds: DrivenLoad[];
}

export interface ListRun {
  driver: LoadDriver;
  ledger: Ledger;
  rounds: RoundPlan;
}

export async function measureLists(
  { driver, ledger, rounds }: ListRun,
  server: Server,
  lists: readonly ConsoleList[],
): Promise<MeasuredList[]> {
  const contenders = lists.map((list) => ({
    name: list.name,
    measure: async (durationMs: number) => {
      const { origin, headers, program } = server;
      const plan = {
        origins: [origin],
        connections: 1,
        method: 'GET' as const,
        paths: [list.path],
        expectedStatus: 200,
        durationMs,
      };
      const result = await driver.drive({ ...plan, headers: { ...headers, ...list.headers } }, program.pid);
      if (failureCount(result) > 0) ledger.expect(`${list.name}: failed`, 'none', JSON.stringify(result.failures));
      const rows = rowsIn(JSON.parse(result.first.body));
      if (rows !== list.rows) ledger.expect(`${list.name}: objects`, list.rows, rows);
      const total = result.first.headers.totalobjectsnumber;
      if (list.total !== undefined && total !== String(list.total))
        ledger.expect(`${list.name}: objects in all`, list.total, String(total));
      return result;
    },
  }));
  const measured = await measureInRounds(contenders, rounds);
  ledger.expect('lists measured, each with the expected objects', lists.length, measured.size);
  return lists.map((list) => ({ list, rounds: measured.get(list.name)! }));
}

/** Undefined if it is one object. */
function rowsIn(answer: unknown[] | { subscriptions?: unknown[] }): number | undefined {
  return Array.isArray(answer) ? answer.length : answer.subscriptions?.length;
}
