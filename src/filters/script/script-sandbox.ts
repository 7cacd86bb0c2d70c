// The front door of scripts: runs them where they can harm nobody. Each thread has a script engine of its own; what goes
// there and comes back is text. A call that does not end costs its thread, and no other call anything but time.

import { type ItemResult, PoolBusy, WorkerPool } from '../../sandbox/worker-pool.ts';
import { compileEngine } from './engine-binary.ts';
import {
  type CheckResult,
  callItems,
  type ScriptAnswer,
  type ScriptCall,
  type ScriptItem,
  type ScriptResult,
  type TimedScriptResult,
} from './script-item.ts';

export type { CheckResult, ScriptCall, ScriptMessage, ScriptResult, TimedScriptResult } from './script-item.ts';

export interface ScriptSandbox {
  /** One result for each call. Rejects with PoolBusy only. */
  run(calls: readonly ScriptCall[]): Promise<TimedScriptResult[]>;
  /** Does it compile? Rejects with PoolBusy only. */
  check(body: string): Promise<CheckResult>;
  readonly freeThreads: number;
  close(): Promise<void>;
}

export function openScriptSandbox({ threads }: { threads: number }): ScriptSandbox {
  const pool = new WorkerPool<ScriptItem, ScriptAnswer>({
    module: new URL('./script-worker.js', import.meta.url),
    threads,
    itemTimeMs,
    heapMb,
    // Compiled once for all threads, and for those that come after one is killed: cold, the engine takes a quarter of a second.
    given: compileEngine(),
    waitingMax: threads * waitingPerThread,
  });
  return {
    run: async (calls) => (await runItems(pool, callItems(calls))).map(resultOf),
    check: async (body) => checkOf((await runItems(pool, [{ toCheck: body }]))[0]!),
    get freeThreads() {
      return pool.freeThreads;
    },
    close: () => pool.close(),
  };
}

const itemTimeMs = 900;
const heapMb = 128;
const waitingPerThread = 100;

/** A thread that cannot be started today may be tomorrow: then it is the machine that has no room. */
async function runItems(pool: WorkerPool<ScriptItem, ScriptAnswer>, items: readonly ScriptItem[]) {
  try {
    return await pool.run(items);
  } catch (error) {
    if (error instanceof PoolBusy) throw error;
    throw new PoolBusy('A thread for scripts could not be started.', { cause: error });
  }
}

function resultOf(result: ItemResult<ScriptAnswer>): TimedScriptResult {
  switch (result.kind) {
    case 'answered':
      return { ...(result.answer as ScriptResult), tookMs: result.tookMs };
    case 'leftOut':
      return { kind: 'leftOut', log: [], tookMs: 0 };
    case 'killed':
      return {
        kind: 'failed',
        message: 'The script took longer than it may.',
        isOverTime: true,
        log: [],
        tookMs: itemTimeMs,
      };
    case 'crashed':
      return {
        kind: 'failed',
        message: 'The script took more memory than it may.',
        isOverTime: true,
        log: [],
        tookMs: itemTimeMs,
      };
  }
}

function checkOf(result: ItemResult<ScriptAnswer>): CheckResult {
  if (result.kind === 'answered') return result.answer as CheckResult;
  return { kind: 'mistaken', message: 'The script cannot be compiled.', line: undefined, column: undefined };
}
