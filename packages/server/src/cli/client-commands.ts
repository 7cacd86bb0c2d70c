// `flaghoist client …`: manages clients, which are programs that get tokens with an id and a secret. A secret is
// printed only once, when it is created.

import { jsonOption, type OutputOptions } from '@flaghoist/cli';
import type { Command } from 'commander';
import { scopes } from '../model/scopes.ts';
import { parseGrace } from './parse-grace.ts';

export function addClientCommands(program: Command): void {
  const client = program
    .command('client')
    .description('create, list, enable and disable clients, and change their secrets');
  client
    .command('create')
    .description('create a client; its secret is printed once')
    .requiredOption('--user <userCode>', 'the user that it acts as')
    .requiredOption('--scope <scope...>', `what it may do: ${scopes.join(', ')}`)
    .option('--client-id <id>', 'its id (default: random)')
    .option('--audience <audience...>', 'the audiences it can request tokens for (default: that of this environment)')
    .option(...jsonOption)
    .action(async (options) => (await import('./change-clients.ts')).createClient(options));
  client
    .command('list')
    .description('list all clients')
    .option(...jsonOption)
    .action(async (options) => (await import('./change-clients.ts')).listClients(options));
  client
    .command('rotate')
    .description('give a client a new secret; it is printed once')
    .argument('<clientId>')
    .option(
      '--grace <time>',
      'how long the current secret is still accepted: 30m, 24h, 7d or seconds',
      parseGrace,
      86_400,
    )
    .option(...jsonOption)
    .action(async (clientId, options) => (await import('./change-clients.ts')).rotateClient(clientId, options));
  for (const active of [true, false]) {
    client
      .command(active ? 'enable' : 'disable')
      .description(active ? 'allow its requests again' : 'reject it and its tokens, within a second')
      .argument('<clientId>')
      .option(...jsonOption)
      .action(async (clientId: string, options: OutputOptions) =>
        (await import('./change-clients.ts')).switchClient(clientId, active, options),
      );
  }
}
