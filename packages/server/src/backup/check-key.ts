// Which encryption key a restored installation will use. A wrong key could decrypt nothing, so it is checked before
// anything is written.

import { openEncryption } from '../auth/encryption/encryption.ts';
import { findKey, type KeySettings, keyFileOf } from '../auth/encryption/encryption-key.ts';
import { OperatorError } from '../errors.ts';
import type { BackupHeader } from './backup-header.ts';

/** The key of the backup, if it is to be saved: it is in the backup, and nowhere else. */
export async function checkKey(
  { encryption: { proof, key } }: BackupHeader,
  settings: KeySettings,
): Promise<Buffer | undefined> {
  const found = await findKey(settings);
  const stored = key === null ? undefined : Buffer.from(key, 'base64url');
  if (proof === null) return undefined;
  if (found) {
    if (openEncryption(found).proof === proof) return undefined;
    throw settings.encryptionKey ? wrongSetting() : wrongFile(keyFileOf(settings));
  }
  if (stored && openEncryption(stored).proof === proof) return stored;
  throw new OperatorError(
    `The backup needs the encryption key of the original: ${whatToDo} The backup itself has no key, because it was ` +
      'made without --with-encryption-key. Nothing was restored.',
  );
}

const whatToDo =
  'set FLAGHOIST_ENCRYPTION_KEY to it, FLAGHOIST_ENCRYPTION_KEY_FILE to a file with it, or copy the file ' +
  'encryption-key of its data folder into the new data folder.';

function wrongSetting(): OperatorError {
  return new OperatorError(
    'FLAGHOIST_ENCRYPTION_KEY is not the key of the installation that was backed up. Set it to that one. ' +
      'Nothing was restored.',
  );
}

function wrongFile(file: string): OperatorError {
  return new OperatorError(
    `The encryption key in ${file} is not the one of the installation that was backed up. Replace the file, or ` +
      'restore into a new data folder. Nothing was restored.',
  );
}
