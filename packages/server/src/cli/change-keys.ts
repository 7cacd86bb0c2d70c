// What `flaghoist key …` does. The private key never leaves the database.

import { type OutputOptions, printResult, renderTable } from '@flaghoist/cli';
import {
  distrustAllKeys,
  listSigningKeys,
  rotateKeyOlderThan,
  type ShownSigningKey,
} from '../auth/signing-keys/signing-keys.ts';
import { OperatorError } from '../errors.ts';
import { withInstallation } from './with-installation.ts';

export async function listKeys(options: OutputOptions): Promise<void> {
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

export async function rotateKey({ distrustOld = false, ...options }: RotateOptions): Promise<void> {
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
