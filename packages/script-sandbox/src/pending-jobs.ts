// Runs the promise jobs that a script has queued. The public method of quickjs-wasi runs all of them, without a limit.
// So this file, and no other, uses the internal functions that run one job at a time.

import type { QuickJS } from 'quickjs-wasi';

/** `mayRun` is asked before each job, with the number of jobs that have run. Returns that number. */
export function runPendingJobs(engine: QuickJS, mayRun: (jobs: number) => boolean): number {
  const { qjs_is_job_pending: isPending, qjs_execute_pending_job: runNext } = engine._getExports();
  let jobs = 0;
  for (; isPending() && mayRun(jobs); jobs++) runNext();
  return jobs;
}
