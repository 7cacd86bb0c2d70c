// What each channel takes: one row per channel, read by the form and by what is sent.

import type { ChannelType } from '../api-subscription.ts';
import type { AuthorizationKind } from './draft.ts';

export interface ChannelUse {
  /** What it does, in a sentence. */
  description: string;
  /** The field of the address; undefined: the channel has none. */
  address: { label: string; type: 'url' | 'email' | 'text'; placeholder: string } | undefined;
  /** Besides none. */
  authorizations: readonly AuthorizationKind[];
  hasHeaders: boolean;
  hasSubject: boolean;
  /** Whether a test message can be sent. */
  isPinged: boolean;
  isRetried: boolean;
  isStreamed: boolean;
}

export const channelUses: Readonly<Record<ChannelType, ChannelUse>> = {
  HTTP: {
    description: 'A signed POST to an address of yours.',
    address: { label: 'URL', type: 'url', placeholder: 'https://agent.example/webhooks' },
    authorizations: ['BASIC', 'OAUTH2', 'MTLS'],
    hasHeaders: true,
    hasSubject: false,
    isPinged: true,
    isRetried: true,
    isStreamed: false,
  },
  EMAIL: {
    description: 'A readable mail with the body attached.',
    address: { label: 'E-mail address', type: 'email', placeholder: 'operations@agent.example' },
    authorizations: [],
    hasHeaders: false,
    hasSubject: false,
    isPinged: true,
    isRetried: true,
    isStreamed: false,
  },
  STREAM: {
    description:
      'Your program connects and fetches them, so it needs no public address. This page can receive them, too.',
    address: undefined,
    authorizations: [],
    hasHeaders: false,
    hasSubject: false,
    isPinged: false,
    isRetried: false,
    isStreamed: true,
  },
  NATS: {
    description: 'Published to JetStream.',
    address: { label: 'Servers', type: 'text', placeholder: 'nats://nats.agent.example:4222' },
    authorizations: ['BASIC', 'CREDENTIALS', 'MTLS'],
    hasHeaders: false,
    hasSubject: true,
    isPinged: true,
    isRetried: true,
    isStreamed: false,
  },
};
