// The channel EMAIL: a mail to one address, at a limited rate, because people read it.

import { textFormats } from '../../model/text-formats.ts';
import { RateBuckets } from '../../rate-buckets.ts';
import type { Channel, ChannelParts, OpenChannel } from './channel.ts';

const { fits, requirement } = textFormats.email;

export const mailNotifications: Channel = {
  checkAddresses: () => ({ check: (address) => (fits(address) ? undefined : `must be ${requirement}.`) }),
  checkAuthorization: () => undefined,
  nameReceiver: (address) => address,
  spans: { attributesOf: () => ({}), statusName: 'flaghoist.mail.status_code' },
  open: openMailNotifications,
};

function openMailNotifications({ settings, clock, mail }: ChannelParts): OpenChannel {
  const rate = new RateBuckets({ capacity: settings.mailsPerMinute, refillMs: 60_000, clock });
  return {
    send: (message, receiver, _startedAt, onEnd) => void mail.send(message.composeMail(receiver)).then(onEnd),
    takeAllowance: (subscriptionKey) => rate.take(String(subscriptionKey)),
    isScarce: false,
    close: async () => undefined,
  };
}
