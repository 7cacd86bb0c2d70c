// `flaghoist backup` and `flaghoist restore`.

import { jsonOption } from '@flaghoist/cli';
import type { Command } from 'commander';

export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description('write everything that the database has to a file, while the service runs')
    .argument('<file>', 'the file, which is replaced when the backup is complete; -: standard output')
    .option('--with-encryption-key', 'store the encryption key, too: the file is then enough to read all secrets')
    .option(...jsonOption)
    .action(async (file, options) => (await import('./backup-command.ts')).backupCommand(file, options));
  program
    .command('restore')
    .description('restore a backup into an empty data folder or database; stop the original first')
    .argument('<file>', 'the file of the backup; -: standard input')
    .option(...jsonOption)
    .action(async (file, options) => (await import('./restore-command.ts')).restoreCommand(file, options));
}
