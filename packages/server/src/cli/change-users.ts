// What `flaghoist user …` does.

import { type OutputOptions, printResult, renderTable } from '@flaghoist/cli';
import { printable } from '@flaghoist/source-text';
import { changeObject, createObject, findObject, listObjects, type ShownUser } from '../auth/clients/access-objects.ts';
import { withInstallation } from './with-installation.ts';

interface UserOptions extends OutputOptions {
  name: string;
  email?: string;
  edition?: string;
  apiVersion?: string;
}

export async function createUser(userCode: string, options: UserOptions): Promise<void> {
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

export async function listUsers(options: OutputOptions): Promise<void> {
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

export async function switchUser(userCode: string, active: boolean, options: OutputOptions): Promise<void> {
  const user = await withInstallation(async (installation) => {
    const { key } = await findObject(installation, 'ApiUser', userCode);
    return changeObject(installation, 'ApiUser', key, { active });
  });
  const outcome = active ? 'enabled: its clients are allowed' : 'disabled: its clients are rejected';
  printResult(options, user, `User ${printable(user.userCode)} is ${outcome}.\n`);
}
