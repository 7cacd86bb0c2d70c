// Defines `login` and `logout`.

import type { Command } from 'commander';
import { serviceCommand } from '../command/service-command.ts';
import { jsonOption } from '../terminal/output.ts';

export function addConnectionCommands(program: Command): void {
  serviceCommand(
    program,
    'login',
    'store a service and a client for other commands; asks for the secret, or reads it from standard input',
  ).action(async (options) => (await import('./login-command.ts')).login(options));
  program
    .command('logout')
    .description('forget what "login" stored')
    .option(...jsonOption)
    .action(async (options) => (await import('./login-command.ts')).logout(options));
}
