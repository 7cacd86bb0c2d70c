// Defines `why`.

import type { Command } from 'commander';
import { serviceCommand } from '../command/service-command.ts';

export function addWhyCommand(program: Command): void {
  serviceCommand(program, 'why', 'say why a subscription was notified of a change, or why not')
    .argument('<subscription>', 'its key or name')
    .option('--object <key>', 'the object that was changed, or that the subscription refers to')
    .option('--event <id>', 'one event')
    .option('--limit <number>', 'so many changes, newest first', '1')
    .action(async (subscription, options) => (await import('./why-command.ts')).why(subscription, options));
}
