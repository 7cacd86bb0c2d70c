// Defines `notification list`, `show` and `tail`.

import type { Command } from 'commander';
import { serviceCommand } from '../command/service-command.ts';

export function addNotificationCommands(program: Command): void {
  const group = program.command('notification').description('look into the log of notifications');
  withFilters(serviceCommand(group, 'list', 'list notifications, newest first'))
    .option('--since <time>', 'only of changes since then: 30m, 2h, 3d or 2026-11-15T08:30:00 (UTC)')
    .option('--limit <number>', 'at most so many', '20')
    .action(async (options) => (await import('./list-notifications.ts')).listNotifications(options));
  serviceCommand(group, 'show', 'show a notification with its body and its attempts')
    .argument('<notification>', 'its key, or the id of the message')
    .action(async (notification, options) =>
      (await import('./show-notification.ts')).showNotification(notification, options),
    );
  withFilters(serviceCommand(group, 'tail', 'show notifications as they are created, delivered or fail'))
    .option('--no-json', 'print text, also into a pipe, where JSON is the default')
    .action(async (options) => (await import('./tail-notifications.ts')).tailNotifications(options));
}

function withFilters(command: Command): Command {
  return command
    .option('--subscription <subscription>', 'only of this subscription: its key or name')
    .option('--object <key>', 'only about this object, changed or subscribed to')
    .option('--status <status>', 'only PENDING, DELIVERED or FAILED ones');
}
