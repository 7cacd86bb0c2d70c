// Stops an embedded PostgreSQL with all its processes (SIGSTOP), as a paused machine would, and lets it run again.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns a function that resumes it and may be called twice. */
export function freezeServer(dataDir: string): () => void {
  const postmaster = Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
  // The parent first, so that it starts no more children.
  process.kill(postmaster, 'SIGSTOP');
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').split(' ').filter(Boolean);
  for (const child of children) process.kill(Number(child), 'SIGSTOP');
  return () => {
    for (const pid of [...children.map(Number), postmaster]) resume(pid);
  };
}

function resume(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
