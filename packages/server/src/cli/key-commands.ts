// `flaghoist key …`: lists and rotates the signing keys for tokens. The private key never leaves the database.

import type { Command } from 'commander';
import {
  distrustAllKeys,
  listSigningKeys,
  rotateKeyOlderThan,
  type ShownSigningKey,
} from '../auth/signing-keys/signing-keys.ts';
import { OperatorError } from '../errors.ts';
import { jsonOption, type OutputOptions, printResult, renderTable } from './output.ts';
import { withInstallation } from './with-installation.ts';

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('list and replace the keys that sign tokens');
  key
    .command('list')
    .description('list the keys whose tokens are accepted; times are UTC')
    .option(...jsonOption)
    .action(listKeys);
  key
    .command('rotate')
    .description('replace the signing key; its tokens stay valid until they expire')
    .option('--distrust-old', 'the old keys have leaked: reject every token that was issued so far')
    .option(...jsonOption)
    .action(rotateKey);
}

async function listKeys(options: OutputOptions): Promise<void> {
  const keys = await withInstallation(({ database }) => listSigningKeys(database));
  printResult(
    options,
    keys,
    keys.length === 0 ? 'There are no keys yet: the service creates one when it starts.\n' : renderKeys(keys),
  );
}

function renderKeys(keys: ShownSigningKey[]): string {
  return renderTable(
    ['kid', 'created', 'signs from', 'verifies until'],
    keys.map(({ kid, createdDate, signsFromDate, verifiesUntilDate }) => [
      kid,
      createdDate,
      signsFromDate,
      verifiesUntilDate ?? 'it is replaced',
    ]),
  );
}

interface RotateOptions extends OutputOptions {
  distrustOld?: boolean;
}

async function rotateKey({ distrustOld = false, ...options }: RotateOptions): Promise<void> {
  const kid = await withInstallation(
    (installation) => {
      const { issuerUrl } = installation.settings;
      if (issuerUrl !== undefined)
        throw new OperatorError(`Tokens come from ${issuerUrl} (FLAGHOIST_ISSUER_URL): replace the key there.`);
      return distrustOld
        ? distrustAllKeys(installation, installation.caller)
        : rotateKeyOlderThan(installation, Number.NEGATIVE_INFINITY, installation.caller);
    },
    { needsKey: true },
  );
  printResult(
    options,
    { kid },
    distrustOld
      ? `Key ${kid} signs tokens now. Every token that was issued before is rejected.\n`
      : `Key ${kid} signs tokens in a few seconds. Tokens of the previous key stay valid until they expire.\n`,
  );
}
