// Runs a program and reports how it ends: 0 done, 1 failed, 2 wrong usage. With `--json`, an error is JSON, too.

import { didYouMean, quoteText } from '@flaghoist/source-text';
import { type Command, CommanderError, Help } from 'commander';
import type { Failure } from './failure.ts';
import { sortOptions } from './service-command.ts';

/** To be called before commands are added: they inherit it. */
export function prepareProgram(program: Command, version: string): Command {
  return program
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp({ visibleOptions: (command) => sortOptions(new Help().visibleOptions(command)) });
}

/** `describe`: errors that only this program knows. */
export async function runProgram(
  program: Command,
  argv: readonly string[],
  describe?: (error: unknown) => Failure | undefined,
): Promise<void> {
  const isJson = wantsJson(argv.slice(2));
  if (isJson) silence(program);
  try {
    rejectUnknown(program, argv[2]);
    await program.parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return;
    const { failureOf, renderFailure } = await import('./failure.ts');
    const failure = failureOf(error, describe);
    // Without --json, commander has printed what is wrong.
    if (isJson || !(error instanceof CommanderError)) process.stderr.write(renderFailure(failure, isJson));
    process.exitCode = failure.code === 'usage' ? 2 : 1;
  }
}

/** The command may not have been parsed when it fails. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const last = args.slice(0, end === -1 ? undefined : end).findLast((arg) => arg === '--json' || arg === '--no-json');
  return last === '--json';
}

function silence(command: Command): void {
  command.configureOutput({ writeErr: () => undefined, outputError: () => undefined });
  for (const one of command.commands) silence(one);
}

/** A program with a default command would pass an unknown one to it. */
function rejectUnknown(program: Command, name: string | undefined): void {
  if (name === undefined || name.startsWith('-')) return;
  const names = ['help', ...program.commands.flatMap((command) => [command.name(), ...command.aliases()])];
  if (names.includes(name)) return;
  const hint = didYouMean(name, names) || ` "${program.name()} --help" lists the commands.`;
  program.error(`error: unknown command ${quoteText(name)}.${hint}`, { code: 'commander.unknownCommand' });
}
