// `flaghoist console-link`: prints a link that signs in to the console once.

import { type OutputOptions, printResult } from '@flaghoist/cli';
import { printable } from '@flaghoist/source-text';
import { findObject } from '../auth/clients/access-objects.ts';
import { findLinkUser, linkMinutes, makeLink } from '../auth/console-session/console-link.ts';
import type { LinkUser } from '../auth/console-session/console-link-table.ts';
import { OperatorError } from '../errors.ts';
import { type Installation, withInstallation } from './with-installation.ts';

interface ConsoleLinkOptions extends OutputOptions {
  user?: string;
}

export async function printConsoleLink(options: ConsoleLinkOptions): Promise<void> {
  const result = await withInstallation(
    async (installation) => {
      rejectIssuer(installation);
      const user = await findUser(installation, options.user);
      return { user, ...(await makeLink(installation, user.key, installation.caller)) };
    },
    { needsKey: true },
  );
  const { user, url, expiresDate } = result;
  printResult(
    options,
    { url, userCode: user.userCode, expiresDate },
    `${url}

It signs in ${printable(user.userCode)} (${printable(user.name)}) once, within ${linkMinutes} minutes.
`,
  );
}

function rejectIssuer({ settings: { issuerUrl } }: Installation): void {
  if (issuerUrl === undefined) return;
  throw new OperatorError(
    `Users sign in to the console at ${issuerUrl} (FLAGHOIST_ISSUER_URL), not with links. See "Sign in to the ` +
      'console" in docs/how-to/sign-in-to-the-console.md.',
  );
}

async function findUser(installation: Installation, userCode: string | undefined): Promise<LinkUser> {
  // Says what to do if there is no such user.
  if (userCode !== undefined) await findObject(installation, 'ApiUser', userCode);
  const user = await findLinkUser(installation, userCode);
  if (!user)
    throw new OperatorError(
      'There is no active administrator. "flaghoist client create --user <userCode> --scope admin" makes one, and ' +
        '--user chooses another user.',
    );
  const name = printable(user.userCode);
  if (!user.isActive)
    throw new OperatorError(`The user ${name} is disabled. "flaghoist user enable ${name}" enables it.`);
  if (!user.hasClient)
    throw new OperatorError(
      `The user ${name} has no active client, so it may do nothing in the console. ` +
        `"flaghoist client create --user ${name} --scope read" creates one.`,
    );
  return user;
}
