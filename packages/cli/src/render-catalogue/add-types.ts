// Defines `types`.

import type { Command } from 'commander';
import { serviceCommand } from '../command/service-command.ts';

export function addTypesCommand(program: Command): void {
  serviceCommand(program, 'types', 'write TypeScript types of the object types of a service, for @flaghoist/sdk')
    .option('--api-version <version>', 'as of this API version (default: the newest)')
    .option('--only <types...>', 'only these object types and all that they refer to, like Voyage,PortCall')
    .option('--out <file>', 'write them to this file instead of standard output')
    .action(async (options) => (await import('./types-command.ts')).writeTypes(options));
}
