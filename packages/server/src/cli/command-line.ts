// Defines the commands and prints failures. A mistake of the operator is reported without a stack trace.

import {
  addServiceCommands,
  type Failure,
  jsonOption,
  type OutputOptions,
  prepareProgram,
  runProgram,
} from '@flaghoist/cli';
import { Command } from 'commander';
import { DatabaseAway, DatabaseBusy } from '../database/database-away.ts';
import { readServiceVersion } from '../describe/openapi/service-version.ts';
import { ApiError, OperatorError } from '../errors.ts';
import { addBackupCommands } from './backup-commands.ts';
import { addClientCommands } from './client-commands.ts';
import type { DemoCommandOptions } from './demo-command.ts';
import { addKeyCommands } from './key-commands.ts';
import { addUserCommands } from './user-commands.ts';

export async function runCommandLine(argv: string[]): Promise<void> {
  await runProgram(createProgram(), argv, describe);
}

export function createProgram(): Command {
  const program = prepareProgram(new Command('flaghoist'), readServiceVersion()).description(
    'Shipping business objects over REST, and webhooks that never miss a change.',
  );
  program.commandsGroup('Commands that run the service:');
  program
    .command('serve', { isDefault: true })
    .description('run the service')
    .option('--json', 'print one line of JSON when the service is ready, and the log to standard error')
    .action(runServe);
  program
    .command('demo')
    .description('create a small fleet and keep changing it, in the running service or in its own')
    .option('--every <seconds>', 'the time from one change to the next', '4')
    .option(
      '--client-id <id>',
      'a client with scope write, for a remote service; its secret in FLAGHOIST_DEMO_CLIENT_SECRET',
    )
    .option('--json', 'print one line of JSON for each change')
    .action(runDemo);
  program
    .command('migrate')
    .description('migrate the database to this version and model, then stop')
    .option(...jsonOption)
    .action(async (options) => (await import('./migrate-command.ts')).migrateCommand(options));
  program
    .command('check-config')
    .description('check settings and model file without starting anything')
    .option(...jsonOption)
    .action(async (options) => (await import('./settings-commands.ts')).checkConfig(options));
  program
    .command('settings')
    .description('list every setting with its default')
    .option(...jsonOption)
    .action(async (options) => (await import('./settings-commands.ts')).printSettings(options));
  program.commandsGroup('Commands that use the database of the service:');
  addUserCommands(program);
  addClientCommands(program);
  addKeyCommands(program);
  program
    .command('console-link')
    .description('print a link that signs in to the console once')
    .option('--user <userCode>', 'the user that it signs in (default: the first administrator)')
    .option(...jsonOption)
    .action(async (options) => (await import('./console-link.ts')).printConsoleLink(options));
  addBackupCommands(program);
  addServiceCommands(program);
  return program;
}

// What a command does is imported when it runs: it is most of the program, and other commands start faster without it.

async function runServe(options: OutputOptions): Promise<void> {
  const { serve } = await import('./serve.ts');
  await serve(options);
}

async function runDemo(options: DemoCommandOptions): Promise<void> {
  const { demoCommand } = await import('./demo-command.ts');
  await demoCommand(options);
}

function describe(error: unknown): Failure | undefined {
  if (error instanceof OperatorError) return failure('failed', 'Flaghoist cannot continue.', error.message);
  if (error instanceof ApiError) {
    const { code, message, violations } = error;
    return {
      ...failure(code, 'Nothing was done.', describeMistakes(error)),
      message,
      ...(violations && { violations }),
    };
  }
  if (error instanceof DatabaseAway || error instanceof DatabaseBusy)
    return failure('databaseAway', 'Flaghoist cannot continue.', `${error.message} Try again in a moment.`);
  return undefined;
}

function failure(code: string, heading: string, message: string): Failure {
  return { code, message, text: `\n${heading}\n${message}\n\n` };
}

function describeMistakes({ message, violations }: ApiError): string {
  return violations ? violations.map(({ path, message: mistake }) => `- ${path}: ${mistake}`).join('\n') : message;
}
