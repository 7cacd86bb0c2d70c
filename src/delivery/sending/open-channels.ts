// The ways out of the service, as the settings have them: used by the worker, and by whoever sends a test message.

import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAddressPolicy } from '../../channels/address-policy.ts';
import { createHostResolver } from '../../channels/host-resolver.ts';
import { createHttpChannel, type HttpChannel } from '../../channels/http-channel.ts';
import type { MailChannel } from '../../channels/mail.ts';
import { createMailFolder } from '../../channels/mail-folder.ts';
import { createSmtpChannel } from '../../channels/smtp-channel.ts';
import { allowedTargetsOf } from '../../config/allowed-targets-of.ts';
import { mailFromOf } from '../../config/mail-from-of.ts';
import type { Settings } from '../../config/settings-table.ts';
import type { Observe } from '../../observability/observation.ts';

export interface Channels {
  http: HttpChannel;
  mail: MailChannel;
  /** What is under way has so long to end. */
  close(graceMs: number): Promise<void>;
}

/** To say goodbye to the mail server. */
const mailCloseMs = 1_000;

/** A mail server takes its time, and it is ours: no receiver waits for it. */
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
