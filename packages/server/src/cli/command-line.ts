// Defines the commands and prints failures. A mistake of the operator is reported without a stack trace.

import { Command } from 'commander';
import { DatabaseAway, DatabaseBusy } from '../database/database-away.ts';
import { ApiError, OperatorError } from '../errors.ts';
import { addClientCommands } from './client-commands.ts';
import type { DemoCommandOptions } from './demo-command.ts';
import { addKeyCommands } from './key-commands.ts';
import { migrateCommand } from './migrate-command.ts';
import { addResendCommands } from './resend-command.ts';
import { checkConfig, printSettings } from './settings-commands.ts';
import { addUserCommands } from './user-commands.ts';

export async function runCommandLine(argv: string[]): Promise<void> {
  const program = new Command('flaghoist').description(
    'Shipping business objects over REST, and webhooks that never miss a change.',
  );
  program.command('serve', { isDefault: true }).description('run the service').action(runServe);
  addUserCommands(program);
  addClientCommands(program);
  addKeyCommands(program);
  addResendCommands(program);
  program
    .command('migrate')
    .description('migrate the database to this version and model, then stop')
    .action(migrateCommand);
  program
    .command('check-config')
    .description('check settings and model file without starting anything')
    .action(checkConfig);
  program.command('settings').description('list every setting with its default').action(printSettings);
  program
    .command('demo')
    .description('create a small fleet and keep changing it, in the running service or in its own')
    .option('--every <seconds>', 'the time from one change to the next', '4')
    .option(
      '--client-id <id>',
      'a client with scope write, for a remote service; its secret in FLAGHOIST_DEMO_CLIENT_SECRET',
    )
    .action(runDemo);
  try {
    await program.parseAsync(argv);
  } catch (error) {
    process.stderr.write(`\n${describe(error)}\n\n`);
    process.exitCode = 1;
  }
}

// The server code is imported on demand: it is most of the program, and other commands take half the time without it.

async function runServe(): Promise<void> {
  const { serve } = await import('./serve.ts');
  await serve();
}

async function runDemo(options: DemoCommandOptions): Promise<void> {
  const { demoCommand } = await import('./demo-command.ts');
  await demoCommand(options);
}

function describe(error: unknown): string {
  if (error instanceof OperatorError) return `Flaghoist cannot continue.\n${error.message}`;
  if (error instanceof ApiError) return `Nothing was done.\n${describeMistakes(error)}`;
  if (error instanceof DatabaseAway || error instanceof DatabaseBusy)
    return `Flaghoist cannot continue.\n${error.message} Try again in a moment.`;
  return `Flaghoist failed because of an internal error:\n${error instanceof Error ? error.stack : String(error)}`;
}

function describeMistakes({ message, violations }: ApiError): string {
  return violations ? violations.map(({ path, message: mistake }) => `- ${path}: ${mistake}`).join('\n') : message;
}
