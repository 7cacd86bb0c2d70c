// Asks one of several hosts over a new connection whether it is the primary, and chooses among the answers. A host that
// was the primary may come back and still accept changes. Each promotion begins a new timeline with a higher number, so
// the host with the highest one is the primary now.

import type { DatabaseHost, HostNeeds } from '../config/database-url.ts';
import { type ProbeResult, probeServer } from './probe-server.ts';

const answerMs = 2_000;

export interface HostAnswer {
  host: DatabaseHost;
  /** Of a host that can be used: its timeline, as eight hexadecimal digits. Empty: a standby, which does not say. */
  timeline: string | undefined;
  /** Why the host cannot be used. */
  problem: Error | undefined;
  /** It gave no answer, or has no connection left: it may be a primary all the same. */
  mayBePrimary: boolean;
}

export interface HostQuestion {
  answer: Promise<HostAnswer>;
  cancel(): void;
}

/** `timeline`: of the primary that was used before. */
export function askHost(host: DatabaseHost, needs: HostNeeds, timeline: string): HostQuestion {
  const { result, cancel } = probeServer(host.url, [{ text: selectState }], answerMs);
  return { cancel, answer: result.then((given) => judge(host, needs, timeline, given)) };
}

/** A standby whose promotion has just ended has the new timeline before its first checkpoint. */
const selectState = `select pg_is_in_recovery() as is_standby,
  current_setting('transaction_read_only') = 'on' as is_read_only,
  case when pg_is_in_recovery() then '' else left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end as timeline`;

interface HostState {
  is_standby: boolean;
  is_read_only: boolean;
  timeline: string;
}

function judge(host: DatabaseHost, needs: HostNeeds, seen: string, result: ProbeResult): HostAnswer {
  const unfit = (problem: Error, mayBePrimary = false): HostAnswer => ({
    host,
    timeline: undefined,
    problem,
    mayBePrimary,
  });
  if (result.kind === 'silent') return unfit(problemOf(host, 'it does not answer', 'ETIMEDOUT'), true);
  if (result.kind === 'failed') return unfit(named(host, result.error), isOverloaded(result.error));
  const state = result.answers[0]![0] as unknown as HostState;
  const { is_standby: isStandby, is_read_only: isReadOnly, timeline } = state;
  if (needs !== 'any') {
    if (isStandby) return unfit(problemOf(host, 'it is a standby', readOnlyState));
    if (isReadOnly && needs === 'read-write') return unfit(problemOf(host, 'it is read-only', readOnlyState));
  }
  if (!isStandby && timeline < seen)
    return unfit(problemOf(host, `it was the primary before (timeline ${timeline}, now ${seen})`, readOnlyState));
  return { host, timeline, problem: undefined, mayBePrimary: !isStandby };
}

/** SQLSTATE class 53: no connection left, or no memory. */
function isOverloaded(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^53...$/.test(String(error.code));
}

/** SQLSTATE: the server does not accept changes. */
const readOnlyState = '25006';

/** The name of the host, in front of an error that keeps its code. */
function named(host: DatabaseHost, error: unknown): Error {
  const reasons = error instanceof AggregateError ? error.errors : [error];
  const text = reasons.map((reason) => (reason instanceof Error ? reason.message : String(reason))).join('; ');
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return Object.assign(new Error(`${host.name}: ${text}`, { cause: error }), code === undefined ? {} : { code });
}

function problemOf(host: DatabaseHost, text: string, code: string): Error {
  return Object.assign(new Error(`${host.name}: ${text}`), { code });
}

/**
 * The one with the highest timeline. Of equal ones, the one that is used now, or else the first that answered. A
 * standby does not replace a host that may be the primary. `answers`: of all hosts, or with one of a primary.
 */
export function chooseHost(answers: readonly HostAnswer[], current: DatabaseHost | undefined): HostAnswer | undefined {
  const fit = answers.filter(({ timeline }) => timeline !== undefined);
  const newest = fit.reduce((highest, { timeline }) => (timeline! > highest ? timeline! : highest), '');
  if (newest === '' && answers.some(({ host, mayBePrimary }) => host === current && mayBePrimary)) return undefined;
  const best = fit.filter(({ timeline }) => timeline === newest);
  return best.find(({ host }) => host === current) ?? best[0];
}
