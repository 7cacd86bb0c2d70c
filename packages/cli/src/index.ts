// The commands that talk to a service, for a program that has others, too.

import type { Command } from 'commander';
import { serviceCommand } from './command/service-command.ts';
import { addCompletionCommand } from './completion/completion-command.ts';
import { addConnectionCommands } from './connection/connection-commands.ts';
import { addListenCommand } from './listen/add-listen.ts';
import { addNotificationCommands } from './notifications/notification-commands.ts';
import { addTypesCommand } from './render-catalogue/add-types.ts';
import { addResendCommands } from './resend/resend-commands.ts';
import { addSubscriptionCommands } from './subscriptions/subscription-commands.ts';
import { addTriggerCommand } from './trigger/add-trigger.ts';
import { addWhyCommand } from './why/add-why.ts';

export type { Failure } from './command/failure.ts';
export { prepareProgram, runProgram } from './command/run-program.ts';
export { renderCatalogue } from './render-catalogue/render-catalogue.ts';
export { jsonOption, type OutputOptions, printResult, renderTable } from './terminal/output.ts';

export function addServiceCommands(program: Command): void {
  program.commandsGroup('Commands that talk to a service:');
  addConnectionCommands(program);
  serviceCommand(program, 'status', 'show whether the service is ready, and how your subscriptions are').action(
    async (options) => (await import('./status/status-command.ts')).printStatus(options),
  );
  addListenCommand(program);
  addTriggerCommand(program);
  addSubscriptionCommands(program);
  addNotificationCommands(program);
  addWhyCommand(program);
  addResendCommands(program);
  addTypesCommand(program);
  program.commandsGroup('Other commands:');
  addCompletionCommand(program);
  program.helpCommand('help [command]', 'show help for a command');
}
