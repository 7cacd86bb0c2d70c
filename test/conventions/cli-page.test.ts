// docs/reference/cli.md is the help of all commands, rendered from the program. After a change: npm test -- -u

import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../../packages/server/src/cli/command-line.ts';

test('docs/reference/cli.md shows the help of every command as the code has it', async () => {
  const sections = everyCommand(createProgram()).map(({ path, command }) => renderSection(path, command));
  await expect(`${introduction}\n${sections.join('\n')}`).toMatchFileSnapshot('../../docs/reference/cli.md');
});

test('every command says what it does, and every option what it is for', () => {
  const all = everyCommand(createProgram());
  const silent = all.flatMap(({ path, command }) => [
    ...(command.description() === '' ? [path] : []),
    ...command.options.filter(({ description }) => description === '').map(({ flags }) => `${path} ${flags}`),
  ]);
  expect(silent).toEqual([]);
  expect(all.length).toBeGreaterThan(30);
});

test('every command can print JSON', () => {
  const without = everyCommand(createProgram())
    .filter(({ command }) => command.commands.length === 0 && !command.options.some(({ long }) => long === '--json'))
    .map(({ path }) => path);
  expect(without).toEqual([]);
});

interface NamedCommand {
  /** `flaghoist subscription list` */
  path: string;
  command: Command;
}

function everyCommand(command: Command, path = command.name()): NamedCommand[] {
  const inner = command.commands.flatMap((one) => everyCommand(one, `${path} ${one.name()}`));
  return [{ path, command }, ...inner];
}

function renderSection(path: string, command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) });
  command.configureHelp({ ...command.configureHelp(), helpWidth: 110 });
  command.outputHelp();
  return `## ${path}\n\n\`\`\`\n${help.trimEnd()}\n\`\`\`\n`;
}

const introduction = `# Commands

\`npx flaghoist <command>\`, or \`flaghoist <command>\` if the package \`flaghoist\` is installed globally. The package
\`@flaghoist/cli\` has the commands that talk to a service alone, as \`flaghoist-cli\`.

- Commands that talk to a service need a client: from \`flaghoist login\`, or from \`FLAGHOIST_URL\`,
  \`FLAGHOIST_CLIENT_ID\` and \`FLAGHOIST_CLIENT_SECRET\`. An option comes before a variable, and a variable before what
  is stored.
- With \`--json\`, standard output has one JSON document, or one line of JSON for each notification or change. An error
  is a line of JSON on standard error: \`{"error": {"code", "message", "violations", "status", "requestId"}}\`.
  \`code\` is \`usage\`, \`failed\`, \`internal\`, or that of an [error of the service](errors.md) or of the
  [SDK](../how-to/use-the-sdk.md#handle-errors).
- A command that runs until you stop it ends with 0 on Ctrl+C (SIGINT) and SIGTERM.
- Colours are shown on a terminal only, and not if \`NO_COLOR\` is set.

| Exit code | Meaning |
|---|---|
| 0 | done |
| 1 | failed: the service, the database or what was found there says no |
| 2 | wrong usage: a command, an option or an argument is wrong or missing, and nothing was done |

[Use the command line](../how-to/use-the-command-line.md) shows the commands at work.
`;
