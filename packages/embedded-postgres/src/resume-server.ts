// Resumes a server that was stopped with SIGSTOP, so that it can act on the signal to shut down. Has no effect on a
// running server.

import { readFile } from 'node:fs/promises';
import { hasErrorCode } from './embedded-server-error.ts';

export async function resumeServer(pid: number): Promise<void> {
  for (const each of [...(await childrenOf(pid)), pid]) resume(each);
}

/** Linux only. Elsewhere the server itself kills children that do not end after an immediate shutdown. */
async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}

function resume(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch (error) {
    if (!hasErrorCode(error, 'ESRCH', 'EPERM')) throw error;
  }
}
