// Ends the server when this process dies in any way, including kill -9, on systems that offer nothing better. It is a
// shell that reads from a pipe: the system closes the pipe when this process dies.

import { spawn } from 'node:child_process';

export interface Watchdog {
  guard(pid: number): void;
  /** The guarded process has ended: another process may soon have its id. */
  dismiss(): void;
}

/** Started before the process that it guards, so that there is no unguarded moment. */
export function startWatchdog(): Watchdog {
  const shell = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true, cwd: '/' });
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  return {
    guard: (pid) => void shell.stdin.write(`${pid}\n`),
    dismiss: () => void shell.stdin.end('done\n'),
  };
}

const script = 'read -r pid || exit 0; read -r done || kill -INT "$pid"';
