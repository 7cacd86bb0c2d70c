// Says how the owner of a subscription replaces secrets that cannot be decrypted. The cause may be another encryption
// key.

import type { Encryption } from '../../auth/encryption/encryption.ts';
import {
  channelSecretPurpose,
  headersPurpose,
  signingSecretPurpose,
  webhookPasswordPurpose,
} from '../../subscriptions/channel/secret-purposes.ts';
import type { TargetRow } from './target-table.ts';

interface Sealed {
  column: 'webhook_password' | 'headers_sealed' | 'channel_secret_sealed' | 'signing_secret_sealed';
  purpose: string;
  /** What the owner does if it cannot be decrypted. */
  remedy: string;
}

const sealed: readonly Sealed[] = [
  { column: 'webhook_password', purpose: webhookPasswordPurpose, remedy: 'set webhookPassword' },
  { column: 'headers_sealed', purpose: headersPurpose, remedy: 'send headers with all their values' },
  { column: 'channel_secret_sealed', purpose: channelSecretPurpose, remedy: 'send channelInfo.auth with its secret' },
  { column: 'signing_secret_sealed', purpose: signingSecretPurpose, remedy: 'call rotateSecret' },
];

/** What the owner has to do so that all secrets of the subscription can be read. */
export function remediesFor(row: TargetRow, encryption: Encryption): string[] {
  return sealed
    .filter(({ column, purpose }) => {
      const text = row[column];
      return text !== null && !isReadable(encryption, purpose, text);
    })
    .map(({ remedy }) => remedy);
}

function isReadable(encryption: Encryption, purpose: string, text: string): boolean {
  try {
    encryption.decrypt(purpose, text);
    return true;
  } catch {
    return false;
  }
}
