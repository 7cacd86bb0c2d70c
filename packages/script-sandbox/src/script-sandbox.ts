// The entry point of the sandbox: runs untrusted scripts in threads. Each thread has its own script engine, and only
// text goes in and out. A call that does not end costs its thread; other calls only take longer.

import { type ItemResult, WorkerPool } from '@flaghoist/thread-pool';
import { compileEngine } from './engine-binary.ts';
import {
  type CheckResult,
  callItems,
  cannotBeCompiled,
  type ScriptAnswer,
  type ScriptCall,
  type ScriptItem,
  type ScriptResult,
  type TimedScriptResult,
  tookTooLong,
  tookTooMuchMemory,
} from './script-item.ts';

export type { CheckResult, ScriptCall, ScriptMessage, ScriptResult, TimedScriptResult } from './script-item.ts';

export interface ScriptSandbox {
  /** Returns one result per call. Rejects only with PoolBusy. */
  run(calls: readonly ScriptCall[]): Promise<TimedScriptResult[]>;
  /** Checks whether a script compiles. Rejects only with PoolBusy. */
  check(body: string): Promise<CheckResult>;
  readonly freeThreads: number;
  close(): Promise<void>;
}

/** `batchTimeMs`: after this time, the remaining calls of a batch are skipped. */
export function openScriptSandbox({ threads, ...limits }: { threads: number; batchTimeMs?: number }): ScriptSandbox {
  const pool = new WorkerPool<ScriptItem, ScriptAnswer>({
    module: new URL('./script-worker.js', import.meta.url),
    threads,
    ...limits,
    itemTimeMs,
    heapMb,
    // Compiled once for all threads, including those that replace a killed one. A cold compile takes 250 ms.
    given: compileEngine(),
    waitingMax: threads * waitingPerThread,
  });
  return {
    run: async (calls) => (await pool.run(callItems(calls))).map(resultOf),
    check: async (body) => checkOf((await pool.run([{ toCheck: body }]))[0]!),
    get freeThreads() {
      return pool.freeThreads;
    },
    close: () => pool.close(),
  };
}

const itemTimeMs = 900;
const heapMb = 128;
const waitingPerThread = 100;

function resultOf(result: ItemResult<ScriptAnswer>): TimedScriptResult {
  if (result.kind === 'answered') return { ...(result.answer as ScriptResult), tookMs: result.tookMs };
  if (result.kind === 'skipped') return { kind: 'skipped', log: [], tookMs: 0 };
  const message = result.kind === 'killed' ? tookTooLong : tookTooMuchMemory;
  return { kind: 'failed', message, isOverTime: true, log: [], tookMs: itemTimeMs };
}

function checkOf(result: ItemResult<ScriptAnswer>): CheckResult {
  if (result.kind === 'answered') return result.answer as CheckResult;
  return cannotBeCompiled;
}
