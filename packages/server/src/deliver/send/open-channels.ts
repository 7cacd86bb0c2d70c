// Opens the channels to receivers, HTTP and mail, as the settings define them. The worker uses them, and so does ping.

import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAddressPolicy } from '../../channels/guard/address-policy.ts';
import { createHostResolver } from '../../channels/guard/host-resolver.ts';
import { createHttpChannel, type HttpChannel } from '../../channels/http/http-channel.ts';
import type { MailChannel } from '../../channels/mail/mail.ts';
import { createMailFolder } from '../../channels/mail/mail-folder.ts';
import { createSmtpChannel } from '../../channels/mail/smtp-channel.ts';
import { allowedTargetsOf } from '../../config/allowed-targets-of.ts';
import { mailFromOf } from '../../config/mail-from-of.ts';
import type { Settings } from '../../config/settings-table.ts';
import type { Observe } from '../../observe/observation.ts';

export interface Channels {
  http: HttpChannel;
  mail: MailChannel;
  /** Requests in flight have `graceMs` to end. */
  close(graceMs: number): Promise<void>;
}

/** The least time to close the connection to the mail server. */
const mailCloseMs = 1_000;

/** Mail servers may be slow to answer. This one is the operator's own, so the timeout of receivers does not apply. */
const mailTimeoutMs = 30_000;

export function connectionsMaxOf({ deliveriesInFlight }: Pick<Settings, 'deliveriesInFlight'>): number {
  return 2 * deliveriesInFlight;
}

export function openChannels(settings: Settings, version: string, observe: Observe): Channels {
  const { dnsServers, deliveryTimeoutMs, smtpUrl } = settings;
  const http = createHttpChannel({
    policy: createAddressPolicy(allowedTargetsOf(settings)),
    resolver: createHostResolver({ dnsServers }),
    timeoutMs: deliveryTimeoutMs,
    userAgent: `Flaghoist/${version}`,
    connectionsMax: connectionsMaxOf(settings),
  });
  const from = mailFromOf(settings);
  const folder = resolve(settings.dataDir, 'mail');
  if (smtpUrl === undefined) observe({ kind: 'mail.savedAsFiles', folder });
  const mail =
    smtpUrl === undefined
      ? createMailFolder(folder, from)
      : createSmtpChannel({ url: smtpUrl, from, timeoutMs: mailTimeoutMs });
  return {
    http,
    mail,
    close: async (graceMs) => {
      await http.close(graceMs);
      await Promise.race([mail.close(), sleep(Math.max(graceMs, mailCloseMs), undefined, { ref: false })]);
    },
  };
}
