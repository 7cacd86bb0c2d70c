// The results of the delivery benchmark, as verdicts and tables.

import { type Report, renderNumber, renderSpread, type Section } from '../harness/report.ts';
import { ratios, spreadOf } from '../harness/statistics.ts';
import { judge, type Verdict } from '../harness/verdict.ts';
import type { Backlog, BacklogRound, Compared } from './backlog.ts';
import type { Claims } from './claims.ts';
import type { Dead } from './dead.ts';
import type { Hang } from './hang.ts';
import { hangSection, hangVerdicts } from './hang-report.ts';
import type { LatencyRound } from './latencies.ts';
import type { LatencySeries } from './latency.ts';
import { type Order, orderSection, orderVerdict } from './order.ts';

export interface DeliveryMeasurements {
  backlog: Backlog | undefined;
  latency: LatencySeries[] | undefined;
  hang: Hang | undefined;
  dead: Dead | undefined;
  order: Order | undefined;
  claims: Claims | undefined;
  /** Of the machine, before each part. */
  loads: readonly [string, string][];
}

const smokeNotice = '**A smoke run: it shows that everything works, and its numbers mean nothing.** ';

export function introduction(isQuick: boolean): string {
  return (
    `${isQuick ? smokeNotice : ''}The service runs in a process of its own on an embedded PostgreSQL with its ` +
    'default, durable settings, and its log goes to a file; the receivers are one process with a port for each, ' +
    'which answers at once; whatever the service is compared with is a process of its own, too. All are on the ' +
    'same machine, which has few cores for so many: what is compared takes turns.'
  );
}

export function verdictsOf({ backlog, latency, hang, dead, order, claims }: DeliveryMeasurements): Verdict[] {
  return [
    ...(backlog ? backlogVerdicts(backlog) : []),
    // A PUT is more than a commit: the body is checked, and the object is read back. That time is shown, but has no
    // target.
    ...(latency ?? []).filter(({ by }) => by === 'sql').map(latencyVerdict),
    ...(hang ? hangVerdicts(hang) : []),
    ...(dead ? [deadVerdict(dead)] : []),
    ...(order ? [orderVerdict(order)] : []),
    ...(claims ? claimVerdicts(claims) : []),
  ];
}

export function sectionsOf(measurements: DeliveryMeasurements): Report['sections'] {
  const { backlog, latency, hang, dead, order, claims, loads } = measurements;
  return [
    ...(backlog ? backlogSections(backlog) : []),
    ...(latency ? [latencySection(latency)] : []),
    ...(hang ? [hangSection(hang)] : []),
    ...(dead ? [deadSection(dead)] : []),
    ...(order ? [orderSection(order)] : []),
    ...(claims ? [claimsSection(claims)] : []),
    {
      heading: 'Load of the machine',
      text:
        'Over the last minute before each part. Above the number of cores, milliseconds say more of the machine ' +
        'than of the programs; ratios of what took turns stand it better.',
      table: { columns: loads.map(([part]) => part), rows: [loads.map(([, load]) => load)] },
    },
  ];
}

type Measure = (round: BacklogRound) => number;

function backlogVerdicts(backlog: Backlog): Verdict[] {
  const { statementsPerDelivery } = backlog;
  return [
    rateVerdict("a backlog, as part of the bare loop's rate", backlog),
    rateVerdict("a backlog for node:http receivers, as part of the bare loop's rate", backlog.plain),
    judge(
      { what: 'most memory while the backlogs are delivered', kind: 'atMost', value: 200, unit: 'MB' },
      mostMemoryMb(backlog),
    ),
    judge({ what: 'statements for each delivery', kind: 'atMost', value: 1 }, statementsPerDelivery),
  ];
}

function rateVerdict(what: string, { ours, bare }: Compared): Verdict {
  const rate: Measure = ({ perSecond }) => perSecond;
  return judge({ what, kind: 'atLeast', value: 0.8 }, ratios(ours.map(rate), bare.map(rate)).median);
}

/** One process of the service per kind of receiver, one after the other. */
function mostMemoryMb({ peakMemoryMb, plain }: Pick<Backlog, 'peakMemoryMb' | 'plain'>): number {
  return Math.max(peakMemoryMb ?? Number.NaN, plain.peakMemoryMb ?? Number.NaN);
}

function backlogSections(backlog: Backlog): Section[] {
  const { sizes, bodyBytes, ours, plain, areas, functions } = backlog;
  const row = (name: string, measure: Measure, { ours, bare }: Compared = backlog) => [
    name,
    renderSpread(spreadOf(ours.map(measure))),
    renderSpread(spreadOf(bare.map(measure))),
    renderSpread(ratios(ours.map(measure), bare.map(measure)), 2),
  ];
  return [
    {
      heading: 'A backlog',
      text:
        `${renderNumber(sizes.notifications)} notifications of ${renderNumber(bodyBytes)} bytes for ` +
        `${sizes.receivers} receivers, which all became visible at once to a worker that was idle, in turns with a ` +
        `loop of \`undici.request\` that sends the same bytes and headers from memory and signs them in the same ` +
        'way, as many at a time. The receivers read HTTP by hand, and take as little of the two cores as they can, ' +
        `since those of users are on other machines (lean); in the last two rows they are servers of \`node:http\` ` +
        '(plain), with which it is judged as well. From the first that was received until all were received and, ' +
        `by the service, recorded. Median of ${ours.length} rounds; in parentheses between which values the middle ` +
        'half of them lay.',
      table: {
        columns: ['', 'Ours', 'Bare loop', 'Ratio'],
        rows: [
          row('notifications per second', ({ perSecond }) => perSecond),
          row('processor time of the sender for each, µs', ({ senderUs }) => senderUs),
          [
            'processor time of PostgreSQL for each, µs',
            renderSpread(spreadOf(ours.map(({ databaseUs }) => databaseUs))),
            '',
            '',
          ],
          ['statements for each', renderNumber(backlog.statementsPerDelivery, 3), '0', ''],
          ['most memory, MB', renderNumber(mostMemoryMb(backlog)), '', ''],
          row('node:http receivers: notifications per second', ({ perSecond }) => perSecond, plain),
          row('node:http receivers: processor time of the sender for each, µs', ({ senderUs }) => senderUs, plain),
        ],
      },
    },
    {
      heading: "What the worker's processor time is spent on",
      text: `Self time by part of the program, from a profile of a run of its own.`,
      table: { columns: ['Area', '%'], rows: areas.map(([area, share]) => [area, percent(share)]) },
    },
    {
      heading: 'The dearest functions',
      table: { columns: ['Function', '%'], rows: functions.map(({ name, share }) => [name, percent(share)]) },
    },
  ];
}

function percent(share: number): string {
  return renderNumber(share * 100, 1);
}

const waysOfChanging = { rest: 'a PUT over REST', sql: 'an UPDATE by another process' };

function latencyVerdict({ by, perSecond, ours, bare }: LatencySeries): Verdict {
  const p99 = (round: LatencyRound) => round.p99;
  return judge(
    {
      what:
        `from ${waysOfChanging[by]} to its receiver at ${renderNumber(perSecond)}/s, p99 as part of the bare ` +
        "program's",
      kind: 'atMost',
      value: 2,
    },
    ratios(ours.map(p99), bare.map(p99)).median,
  );
}

function latencySection(latency: LatencySeries[]): Section {
  const cells = (rounds: LatencyRound[]) =>
    (['p50', 'p95', 'p99', 'max'] as const).map((name) => renderSpread(spreadOf(rounds.map((each) => each[name])), 1));
  return {
    heading: 'From a change to its receiver',
    text:
      'Milliseconds from the moment that a change was due, by a schedule that waits for nobody, until the receiver ' +
      'had it. Every change has one subscription. Over REST, one process of the service answers the requests, ' +
      `matches and delivers; the bare program is \`node:http\`, one INSERT, a claim, a POST, a DELETE. By SQL, ` +
      'another process commits the changes (of the service: an UPDATE with its event; of the bare program: its ' +
      'INSERT) over connections that it keeps from round to round, and tells by NOTIFY, as a process with the role ' +
      `\`api\` does, at most every 10 ms: that is what is judged, since the bare program has no REST, with checks, ` +
      `locks and an object to be read back and answered. Median of ${latency[0]!.ours.length} rounds, in turns, ` +
      `after both had run at that rate for ${latency[0]!.warmUpMs / 1000} s.`,
    table: {
      columns: ['Changes', 'Rate', '', 'p50', 'p95', 'p99', 'max'],
      rows: latency.flatMap(({ by, perSecond, ours, bare }) => [
        [waysOfChanging[by], `${renderNumber(perSecond)}/s`, 'ours', ...cells(ours)],
        [waysOfChanging[by], `${renderNumber(perSecond)}/s`, 'bare', ...cells(bare)],
      ]),
    },
  };
}

function deadVerdict({ sizes, ...dead }: Dead): Verdict {
  const what = `${sizes.dead} of ${sizes.receivers} receivers are dead, rate of the others as part of that without`;
  return judge({ what, kind: 'atLeast', value: 0.9 }, ratios(dead.with, dead.without).median);
}

function deadSection({ sizes, ...dead }: Dead): Section {
  return {
    heading: 'Some receivers are dead',
    text:
      `A backlog of ${renderNumber(sizes.notifications)} notifications for ${sizes.receivers} receivers, ` +
      `${sizes.dead} of which are dead: by turns they refuse connections, or take them and never answer. In turns ` +
      'with the part of it that is for the others, alone. Notifications per second to the others, from the first ' +
      `to the last. Median of ${dead.with.length} rounds, each with a process of its own.`,
    table: {
      columns: ['none is dead', 'some are dead', 'Ratio'],
      rows: [
        [
          renderSpread(spreadOf(dead.without)),
          renderSpread(spreadOf(dead.with)),
          renderSpread(ratios(dead.with, dead.without), 2),
        ],
      ],
    },
  };
}

function claimVerdicts({ sizes, series }: Claims): Verdict[] {
  const [few, many] = sizes.pending.map((count) => renderNumber(count));
  return series.map(({ when, ...times }) =>
    judge(
      { what: `a claim with ${many} pending as part of one with ${few}, ${when}`, kind: 'atMost', value: 1.3 },
      spreadOf(times.many).median / spreadOf(times.few).median,
    ),
  );
}

function claimsSection({ sizes, series }: Claims): Section {
  return {
    heading: 'Claims',
    text:
      `Milliseconds of one claim of 500 notifications from ${sizes.lanes} subscriptions, by the statement of the ` +
      'service on a connection with its settings. As many come in behind as are taken, so that the queues keep ' +
      `their length. ${sizes.claims} claims of each, in turns; the old transaction keeps the rows of all claims ` +
      'since then from being cleared away, so the last ones are shown, too.',
    table: {
      columns: [
        '',
        ...sizes.pending.map((count) => `${renderNumber(count)} pending`),
        'Ratio',
        'The last ten, of these',
      ],
      rows: series.map(({ when, few, many }) => [
        when,
        renderSpread(spreadOf(few), 1),
        renderSpread(spreadOf(many), 1),
        renderNumber(spreadOf(many).median / spreadOf(few).median, 2),
        [few, many].map((times) => renderNumber(spreadOf(times.slice(-10)).median, 1)).join(' and '),
      ]),
    },
  };
}
