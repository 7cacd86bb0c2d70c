// Renders the result of a run of the delivery endurance.

import type { MachineFacts } from '../../bench/harness/machine-facts.ts';
import { renderNumber, renderTable } from '../../bench/harness/report.ts';
import { spreadOf } from '../../bench/harness/statistics.ts';
import type { Finding } from '../finding.ts';
import type { BookedChange } from '../matching/matching-load.ts';
import { renderFindings, renderMachine } from '../render-outcome.ts';
import type { DeliveryBalance } from './delivery-ledger.ts';
import { attemptsMax } from './delivery-processes.ts';
import type { SubscriptionRecord } from './delivery-table.ts';
import { behaviours, type Received } from './receivers.ts';

export type Victim = 'api and worker' | 'worker' | 'PostgreSQL' | 'a session of PostgreSQL';

export interface Kill {
  victim: Victim;
  /** Time until all was ready again; undefined if the next kill came first. */
  recoveryMs: number | undefined;
}

export interface Halt {
  process: number;
  ms: number;
  /** What it had claimed, and how much of it was still claimed when it continued. */
  claimed: number;
  left: number;
}

/** The results of every run, whatever the disturbance. */
export interface DeliveryBooks {
  seed: number;
  clients: number;
  booked: readonly BookedChange[];
  events: number;
  expected: number;
  notifications: number;
  settledMs: number;
  startsGivenUp: number;
  balance: DeliveryBalance;
  subscriptions: readonly SubscriptionRecord[];
  received: ReadonlyMap<string, Received>;
  findings: Finding[];
  facts: MachineFacts;
}

export interface DeliveryResult extends DeliveryBooks {
  seconds: number;
  kills: Kill[];
  halts: Halt[];
}

export function renderDelivery(result: DeliveryResult): string {
  const { kills, halts, findings, facts, seed, clients, seconds } = result;
  const verdict =
    findings.length === 0
      ? `**Nothing was lost**: ${kills.length} kills, ${halts.length} halts, ${renderNumber(result.booked.length)} ` +
        `changes, ${renderNumber(result.notifications)} notifications, each delivered or failed with its reason.`
      : `**FAILED: ${findings.length} findings.**`;
  const parts = [
    '# Endurance: delivery under kill -9',
    verdict,
    `${clients} clients wrote for ${renderNumber(seconds)} s over REST and by SQL, while one of two processes, ` +
      `the server of the database or a session of it was killed repeatedly; seed ${seed}. ${behaviours.length} ` +
      `receivers, of which ${behaviours.filter((each) => each !== 'well').length} are flaky or dead; ${attemptsMax} ` +
      `attempts. At the end, the queues were empty after ${renderNumber(result.settledMs)} ms.`,
    ...(findings.length === 0 ? [] : ['## Findings', renderFindings(findings)]),
    '## Ledger',
    renderLedger(result),
    '## Reasons of failed notifications',
    renderReasons(result.balance.failed),
    '## Receivers',
    'Late: 200 after the timeout of the sender. Nothing: the receiver hung, or reset the connection.',
    renderReceivers(result),
    '## Kills',
    renderKills(result),
    '## Halted for longer than the lease',
    renderHalts(halts),
    '## Machine',
    renderMachine(facts),
  ];
  return `${parts.join('\n\n')}\n`;
}

export function renderLedger({
  booked,
  events,
  expected,
  notifications,
  balance,
  subscriptions,
}: DeliveryBooks): string {
  const changes = (outcome: BookedChange['outcome']) => booked.filter((change) => change.outcome === outcome).length;
  const failed = [...balance.failed.values()].reduce((sum, count) => sum + count, 0);
  const inState = (state: SubscriptionRecord['state']) => subscriptions.filter((each) => each.state === state).length;
  const rows: [string, number][] = [
    ['Accepted changes', changes('accepted')],
    ['Changes whose response was lost (applied completely or not at all)', changes('unknown')],
    ['Events', events],
    ['Notifications due, derived from the changed rows, without unsubscribed subscriptions', expected],
    ['Notifications', notifications],
    ['… delivered, and received', balance.delivered],
    ['… failed with a reason', failed],
    ['… left', notifications - balance.delivered - failed],
    ['Attempts in the log', balance.attempts],
    ['Requests that receivers got', balance.arrivals],
    [
      '… again after 200, with the same id and bytes: process or database died before the outcome was recorded',
      balance.againAfterInterruption,
    ],
    ['… maximum that can be explained (kills and halts × in flight)', balance.againMax],
    ['… again after a 200 that came too late', balance.againAfterTimeout],
    [
      'Accepted by the receiver, but failed: its subscription ended before the outcome was recorded',
      balance.takenAndFailed,
    ],
    ['Subscriptions', subscriptions.length],
    [
      '… deactivated, each once and with its alert',
      subscriptions.filter(({ deactivations }) => deactivations > 0).length,
    ],
    ['… unsubscribed', inState('UNSUBSCRIBED')],
    ['Alerts sent again because a process died', balance.alertsAgain],
    ['The last request after the end of its subscription, in ms', Math.round(balance.lastAfterEndMs)],
  ];
  return renderTable({ columns: ['What', 'Count'], rows: rows.map(([name, count]) => [name, renderNumber(count)]) });
}

export function renderReasons(failed: ReadonlyMap<string, number>): string {
  const rows = [...failed].sort(([, one], [, other]) => other - one);
  return renderTable({ columns: ['Reason', 'Count'], rows: rows.map(([name, count]) => [name, renderNumber(count)]) });
}

function renderReceivers({ received }: DeliveryResult): string {
  const names = [...new Set(behaviours)];
  const count = (name: string, said?: string) =>
    [...received.values()]
      .filter(({ receiver }) => behaviours[receiver] === name)
      .reduce(
        (sum, { arrivals }) => sum + arrivals.filter((each) => said === undefined || each.said === said).length,
        0,
      );
  return renderTable({
    columns: ['Receivers', 'How many', 'Requests', '200', 'late', '500', 'nothing'],
    rows: names.map((name) => [
      name,
      String(behaviours.filter((each) => each === name).length),
      ...[undefined, '200', 'late', '500', 'nothing'].map((said) => renderNumber(count(name, said))),
    ]),
  });
}

const victims: Victim[] = ['api and worker', 'worker', 'PostgreSQL', 'a session of PostgreSQL'];

function renderKills({ kills, startsGivenUp }: DeliveryResult): string {
  const row = (name: string, some: Kill[]) => {
    const times = some.flatMap(({ recoveryMs }) => recoveryMs ?? []);
    const { median, max } = spreadOf(times);
    const shown = [median, max].map((ms) => (Number.isNaN(ms) ? '' : renderNumber(ms)));
    return [name, String(some.length), String(some.length - times.length), ...shown];
  };
  const table = renderTable({
    columns: ['Killed', 'Times', 'Next kill before recovery', 'Recovered after ms (median)', 'At most'],
    rows: [
      ...victims.map((name) =>
        row(
          name,
          kills.filter(({ victim }) => victim === name),
        ),
      ),
      row('all', kills),
    ],
  });
  return `${table}\n\n${startsGivenUp} starts failed with a clear message because the database was killed during them.`;
}

function renderHalts(halts: Halt[]): string {
  return renderTable({
    columns: ['Halt', 'Process', 'For ms', 'It had claimed', 'Still claimed when it continued'],
    rows: halts.map(({ process, ms, claimed, left }, index) => [
      String(index + 1),
      String(process + 1),
      renderNumber(ms),
      renderNumber(claimed),
      renderNumber(left),
    ]),
  });
}
