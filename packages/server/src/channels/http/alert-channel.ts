// Sends alerts to the URL of the operator. Unlike the URL of a subscriber, it may lead to any address.

import type { Settings } from '../../config/settings-table.ts';
import type { AddressPolicy } from '../guard/address-policy.ts';
import { egressOf } from '../guard/egress.ts';
import type { SendResult } from '../send-result.ts';
import { HttpChannel } from './http-channel.ts';

export interface AlertChannel {
  /** `body`: JSON. */
  send(body: string): Promise<SendResult>;
  close(): Promise<void>;
}

const timeoutMs = 10_000;
const connectionsMax = 4;
const everywhere: AddressPolicy = { isAllowed: () => true, isListed: () => true, isUnlimited: true };

/** No result contains the URL, which is a secret. */
export function openAlertChannel(url: string, settings: Settings, version: string): AlertChannel {
  const http = new HttpChannel({
    ...egressOf(settings),
    policy: everywhere,
    timeoutMs,
    userAgent: `Flaghoist/${version}`,
    connectionsMax,
  });
  const headers = ['content-type', 'application/json'];
  return {
    send: (body) => new Promise((resolve) => http.send({ url, headers, body }, resolve)),
    close: () => http.close(0),
  };
}
