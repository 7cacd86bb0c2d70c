// The sender of mail from this service: the setting, or an address at the host of the service.

import { isIP } from 'node:net';
import type { Mailbox } from './mailbox.ts';
import type { Settings } from './settings-table.ts';

export function mailFromOf({ mailFrom, baseUrl }: Pick<Settings, 'mailFrom' | 'baseUrl'>): Mailbox {
  if (mailFrom) return mailFrom;
  const host = baseUrl === undefined ? 'localhost' : new URL(baseUrl).hostname;
  const isName = isIP(host.replace(/^\[(.*)\]$/, '$1')) === 0;
  return { name: 'Flaghoist', address: `flaghoist@${isName ? host.replace(/\.$/, '') : 'localhost'}` };
}
