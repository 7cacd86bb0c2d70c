// The channel STREAM: receivers that take no connections fetch their notifications (`deliver/stream/`).

import { failed } from '../send-result.ts';
import type { Channel } from './channel.ts';

export const streamNotifications: Channel = {
  checkAddresses: () => ({ check: () => 'cannot be set: a stream has no address.' }),
  checkAuthorization: () => undefined,
  nameReceiver: () => 'its stream',
  spans: { attributesOf: () => ({}), statusName: 'flaghoist.stream.status_code' },
  open: () => ({
    send: (_message, _receiver, _startedAt, onEnd) => queueMicrotask(() => onEnd(failed(nobodyToCall))),
    takeAllowance: () => 0,
    isScarce: false,
    close: async () => undefined,
  }),
};

const nobodyToCall = 'A stream has no receiver that the service could call: connect to it to see notifications.';
