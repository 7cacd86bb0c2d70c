// `flaghoist key …`: lists and rotates the signing keys for tokens. The private key never leaves the database.

import { jsonOption } from '@flaghoist/cli';
import type { Command } from 'commander';

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('list and replace the keys that sign tokens');
  key
    .command('list')
    .description('list the keys whose tokens are accepted; times are UTC')
    .option(...jsonOption)
    .action(async (options) => (await import('./change-keys.ts')).listKeys(options));
  key
    .command('rotate')
    .description('replace the signing key; its tokens stay valid until they expire')
    .option('--distrust-old', 'the old keys have leaked: reject every token that was issued so far')
    .option(...jsonOption)
    .action(async (options) => (await import('./change-keys.ts')).rotateKey(options));
}
