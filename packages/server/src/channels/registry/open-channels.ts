// Opens all channels, and the mail of the service itself, as the settings define them. The worker uses them, and so
// does ping.

import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { byChannelType, type ChannelType } from '../../channel-types.ts';
import { mailFromOf } from '../../config/mail-from-of.ts';
import type { Settings } from '../../config/settings-table.ts';
import type { Observe } from '../../observe/observation.ts';
import type { MailChannel } from '../mail/mail.ts';
import { createMailFolder } from '../mail/mail-folder.ts';
import { createSmtpChannel } from '../mail/smtp-channel.ts';
import type { ChannelParts, OpenChannel } from './channel.ts';
import { channelRegistry } from './channel-registry.ts';

export type OpenChannels = Readonly<Record<ChannelType, OpenChannel>>;

export interface Channels {
  byType: OpenChannels;
  mail: MailChannel;
  /** Messages in flight have `graceMs` to end. */
  close(graceMs: number): Promise<void>;
}

/** The least time to close the connection to the mail server. */
const mailCloseMs = 1_000;

/** Mail servers may be slow. This one is the operator's own, so the timeout of receivers does not apply. */
const mailTimeoutMs = 30_000;

export function openChannels(parts: Omit<ChannelParts, 'mail'>, observe: Observe): Channels {
  const mail = openMail(parts.settings, observe);
  const byType = byChannelType((type) => channelRegistry[type].open({ ...parts, mail }));
  const all = Object.values(byType);
  return {
    byType,
    mail,
    close: async (graceMs) => {
      await Promise.all(all.map((channel) => channel.close(graceMs)));
      await Promise.race([mail.close(), sleep(Math.max(graceMs, mailCloseMs), undefined, { ref: false })]);
    },
  };
}

function openMail(settings: Settings, observe: Observe): MailChannel {
  const { dataDir, smtpUrl: url, certificateAuthorities: authorities } = settings;
  const from = mailFromOf(settings);
  if (url !== undefined) return createSmtpChannel({ url, from, timeoutMs: mailTimeoutMs, authorities });
  const folder = resolve(dataDir, 'mail');
  observe({ kind: 'mail.savedAsFiles', folder });
  return createMailFolder(folder, from);
}
