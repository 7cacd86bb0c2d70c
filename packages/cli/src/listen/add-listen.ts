// Defines `listen`.

import type { Command } from 'commander';
import { serviceCommand } from '../command/service-command.ts';

export function addListenCommand(program: Command): void {
  serviceCommand(program, 'listen', 'show notifications as they come, and forward them to a local receiver')
    .option('--event <types...>', 'what to listen to, like BunkerOrder.U, Voyage.* or *.D')
    .option('--forward-to <url>', 'POST each one there, with its headers; repeated until it is answered with 2xx')
    .option('--name <name>', 'keep the subscription: what happens while you are away comes when you start again')
    .option('--since <time>', 'first what happened since then: 30m, 2h, 3d or 2026-11-15T08:30:00 (UTC)')
    .option('--expression <expression>', 'only if it is true, like ".voyageStatus = OPR"')
    .option('--fields <json>', 'what notifications contain, like {"voyageStatus":"*"}')
    .option('--only-main-object', 'only changes of the object itself, not of its hierarchy')
    .option('--changes', 'notifications contain the old and new values of what has changed')
    .option('--secret <whsec>', 'the signing secret, for a receiver that verifies signatures (default: a new one)')
    .option('--show-secret', 'print the signing secret, also with --json')
    .option('--body', 'print the body below each line; JSON lines always contain it')
    .option('--timeout <seconds>', 'how long the receiver may take', '10')
    .option('--retries <number>', 'give up after so many retries (default: never)')
    .option('--count <number>', 'exit after so many notifications')
    .option('--no-json', 'print text, also into a pipe, where JSON is the default')
    .addHelpText(
      'after',
      `
Keys on a terminal: r resends the last notification, s skips one that is being retried, q quits.

  $ flaghoist listen --event BunkerOrder.U --forward-to http://localhost:3000/hook
  $ flaghoist listen --event Voyage.U --name orders --since 2h
  $ flaghoist listen --event '*.*' --json | jq .body`,
    )
    .action(async (options) => (await import('./listen-command.ts')).listen(options));
}
