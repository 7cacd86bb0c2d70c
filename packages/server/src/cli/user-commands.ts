// `flaghoist user …`: manages users, on whose behalf clients act.

import { jsonOption, type OutputOptions } from '@flaghoist/cli';
import type { Command } from 'commander';

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('create, list, enable and disable users');
  user
    .command('create')
    .description('create a user')
    .argument('<userCode>', 'a short name without meaning to the service, such as agent-rotterdam')
    .requiredOption('--name <name>', 'who or what it is')
    .option('--email <address>', 'where alerts go')
    .option('--edition <edition>', 'STANDARD or ENTERPRISE (default: ENTERPRISE)')
    .option('--api-version <version>', 'the API version of requests that name none (default: the newest)')
    .option(...jsonOption)
    .action(async (userCode, options) => (await import('./change-users.ts')).createUser(userCode, options));
  user
    .command('list')
    .description('list all users')
    .option(...jsonOption)
    .action(async (options) => (await import('./change-users.ts')).listUsers(options));
  for (const active of [true, false]) {
    user
      .command(active ? 'enable' : 'disable')
      .description(active ? 'allow its clients again' : 'reject its clients, within a second')
      .argument('<userCode>')
      .option(...jsonOption)
      .action(async (userCode: string, options: OutputOptions) =>
        (await import('./change-users.ts')).switchUser(userCode, active, options),
      );
  }
}
