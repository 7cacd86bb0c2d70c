// Sends mail over SMTP. A rejected address or mail is reported to the subscriber; every other failure is for the
// operator to fix.

import { hostname } from 'node:os';
import { type Clock, systemClock } from '../../clock.ts';
import type { Mailbox } from '../../config/mailbox.ts';
import { readSmtpUrl, type SmtpServer } from '../../config/smtp-url.ts';
import { trustedBy } from '../guard/open-tls.ts';
import type { SendResult } from '../send-result.ts';
import { composeMessage } from './compose-message.ts';
import { cleanAnswer, type Hidden, judgeSmtpError, type SmtpError } from './judge-smtp-error.ts';
import type { MailChannel } from './mail.ts';
import { SmtpConnections } from './smtp-connections.ts';

export interface SmtpChannelOptions {
  url: string;
  from: Mailbox;
  /** Covers one mail completely, from waiting for a connection to the last response. */
  timeoutMs: number;
  /** Trusted besides the built-in ones, as PEM, unless the URL names its own. */
  authorities?: readonly string[] | undefined;
  clock?: Clock;
}

export function createSmtpChannel(options: SmtpChannelOptions): MailChannel {
  const { url, from, timeoutMs, authorities, clock = systemClock } = options;
  const read = readSmtpUrl(url);
  const ca = trustedBy(authorities);
  const server = { ...read, tls: { ...(ca && { ca }), ...read.tls } };
  const connections = new SmtpConnections(server);
  const hidden = hiddenOf(server);

  return {
    async send(mail): Promise<SendResult> {
      const message = await composeMessage(mail, from, clock.now());
      if (message.kind !== 'composed') return message;
      const ending = new AbortController();
      const timer = setTimeout(() => ending.abort(), timeoutMs);
      try {
        const response = await connections.send(message, ending.signal);
        return {
          kind: 'delivered',
          statusCode: Number.parseInt(response, 10) || null,
          answer: cleanAnswer(response, hidden),
        };
      } catch (error) {
        return judgeSmtpError(error as SmtpError, hidden);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => connections.close(),
  };
}

/** Servers often repeat in their responses what a client has sent. */
function hiddenOf({ host, name, login }: SmtpServer): Hidden {
  const names = [host, name ?? '', hostname()].filter((one) => one === host || one.includes('.'));
  if (!login) return { names, secrets: [] };
  const { user, password } = login;
  const encoded = [password, `\0${user}\0${password}`].map((text) => Buffer.from(text).toString('base64'));
  return { names, secrets: [...encoded, password] };
}
