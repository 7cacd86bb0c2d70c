// All channels, one row each.

import { byChannelType, type ChannelType } from '../../channel-types.ts';
import type { Settings } from '../../config/settings-table.ts';
import type { AddressCheck, Channel } from './channel.ts';
import { httpNotifications } from './http-notifications.ts';
import { mailNotifications } from './mail-notifications.ts';
import { natsNotifications } from './nats-notifications.ts';
import { streamNotifications } from './stream-notifications.ts';

export const channelRegistry: Readonly<Record<ChannelType, Channel>> = {
  HTTP: httpNotifications,
  EMAIL: mailNotifications,
  STREAM: streamNotifications,
  NATS: natsNotifications,
};

export type AddressChecks = Readonly<Record<ChannelType, AddressCheck>>;

export function addressChecksOf(settings: Settings): AddressChecks {
  return byChannelType((type) => channelRegistry[type].checkAddresses(settings));
}
