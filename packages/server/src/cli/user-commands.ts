// `flaghoist user …`: manages users, on whose behalf clients act.

import { printable } from '@flaghoist/source-text';
import type { Command } from 'commander';
import { changeObject, createObject, findObject, listObjects, type ShownUser } from './installation-objects.ts';
import { jsonOption, type OutputOptions, printResult, renderTable } from './output.ts';
import { withInstallation } from './with-installation.ts';

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
    .action(createUser);
  user
    .command('list')
    .description('list all users')
    .option(...jsonOption)
    .action(listUsers);
  for (const active of [true, false]) {
    user
      .command(active ? 'enable' : 'disable')
      .description(active ? 'allow its clients again' : 'reject its clients, within a second')
      .argument('<userCode>')
      .option(...jsonOption)
      .action((userCode: string, options: OutputOptions) => switchUser(userCode, active, options));
  }
}

interface UserOptions extends OutputOptions {
  name: string;
  email?: string;
  edition?: string;
  apiVersion?: string;
}

async function createUser(userCode: string, options: UserOptions): Promise<void> {
  const { name, email, edition, apiVersion } = options;
  const user = await withInstallation(
    (installation) => createObject(installation, 'ApiUser', { userCode, name, email, edition, apiVersion }),
    { mayCreate: true },
  );
  // The printed command can be copied, so the code is inserted only if a shell needs no quoting for it.
  const named = /^[\w.@-]+$/.test(userCode) ? userCode : '<userCode>';
  printResult(
    options,
    user,
    `User ${printable(userCode)} is created. It needs a client: flaghoist client create --user ${named} --scope read\n`,
  );
}

async function listUsers(options: OutputOptions): Promise<void> {
  const users = await withInstallation((installation) => listObjects(installation, 'ApiUser'));
  printResult(options, users, users.length === 0 ? noUsers : renderUsers(users));
}

const noUsers = 'There are no users yet. Create one with "flaghoist user create", or start the service.\n';

function renderUsers(users: ShownUser[]): string {
  return renderTable(
    ['userCode', 'name', 'email', 'edition', 'apiVersion', 'active'],
    users.map(({ userCode, name, email, edition, apiVersion, active }) => [
      userCode,
      name,
      email,
      edition,
      apiVersion ?? 'newest',
      active,
    ]),
  );
}

async function switchUser(userCode: string, active: boolean, options: OutputOptions): Promise<void> {
  const user = await withInstallation(async (installation) => {
    const { key } = await findObject(installation, 'ApiUser', userCode);
    return changeObject(installation, 'ApiUser', key, { active });
  });
  const outcome = active ? 'enabled: its clients are allowed' : 'disabled: its clients are rejected';
  printResult(options, user, `User ${printable(user.userCode)} is ${outcome}.\n`);
}
