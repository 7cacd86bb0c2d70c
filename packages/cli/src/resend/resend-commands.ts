// Defines `resend` and `replay`. The commands send nothing themselves: the service does, as a job.

import type { Command } from 'commander';
import { serviceCommand } from '../command/service-command.ts';

export function addResendCommands(program: Command): void {
  withSelection(serviceCommand(program, 'resend', 'send failed notifications again'))
    .option('--subscription <subscription>', 'those of this subscription: its key or name')
    .option('--all', 'those of all your subscriptions')
    .option('--user <userCode>', 'those of all subscriptions of this user; for administrators')
    .option('--filter <filters...>', 'all that match these filters of the list, delivered ones as well')
    .option('--cancel <job>', 'cancel this ResendJob, and nothing else')
    .action(async (options) => (await import('./resend-command.ts')).resend(options));
  withSelection(serviceCommand(program, 'replay', 'send delivered and failed notifications of a subscription again'))
    .requiredOption('--subscription <subscription>', 'the subscription: its key or name')
    .option('--object <key>', 'only of this object, changed or subscribed to')
    .option('--status <status>', 'only DELIVERED or only FAILED ones')
    .action(async (options) => (await import('./replay-command.ts')).replay(options));
}

function withSelection(command: Command): Command {
  return command
    .option('--from <time>', 'only of changes at or after this time: 2026-11-15T08:30:00 (UTC), 30m, 2h or 3d')
    .option('--to <time>', 'only of changes before this time')
    .option('--notifications <keys>', 'only these, like 1077,1078')
    .option('--dry-run', 'only count them')
    .option('--wait', 'show the progress until it is done; a process with the role worker must be running');
}
