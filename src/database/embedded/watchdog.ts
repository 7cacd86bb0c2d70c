// Ends the server when this process dies in whatever way, kill -9 included, where the system offers nothing better. It is
// a shell that waits for the end of a pipe from us: the system closes that pipe for the dead.

import { spawn } from 'node:child_process';

export interface Watchdog {
  guard(pid: number): void;
  /** The guarded process has ended: its id may soon be another's. */
  dismiss(): void;
}

/** Started before what it guards, so that there is no moment in which nobody watches. */
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
