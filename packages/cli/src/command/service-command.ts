// What all commands that talk to a service have in common: where it is, who calls it, and `--json`.

import type { Command, Option } from 'commander';
import { jsonOption, type OutputOptions } from '../terminal/output.ts';

export interface ConnectionOptions {
  url?: string;
  clientId?: string;
}

export interface ServiceOptions extends ConnectionOptions, OutputOptions {}

/** A command with `--url`, `--client-id` and `--json`. */
export function serviceCommand(parent: Command, name: string, description: string): Command {
  return withServiceOptions(parent.command(name).description(description));
}

function withServiceOptions(command: Command): Command {
  return command
    .option('--url <url>', 'the service (default: FLAGHOIST_URL, or what "login" stored)')
    .option('--client-id <id>', 'the client (default: FLAGHOIST_CLIENT_ID, or what "login" stored)')
    .option(...jsonOption);
}

const lastInHelp = ['--json', '--no-json', '--url', '--client-id', '--version', '--help'];

/** What all commands have comes last in their help. */
export function sortOptions(options: readonly Option[]): Option[] {
  const placeOf = ({ long }: Option) => lastInHelp.indexOf(long ?? '');
  return [...options].sort((one, other) => placeOf(one) - placeOf(other));
}
