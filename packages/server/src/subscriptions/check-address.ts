// Checks where notifications may be sent, as far as this is known when a subscription is saved. A URL is checked as
// text; no host name is resolved.

import { nameCodePoint } from '@flaghoist/source-text';
import { createAddressPolicy } from '../channels/guard/address-policy.ts';
import { checkTarget } from '../channels/guard/check-target.ts';
import { literalAddresses } from '../channels/guard/literal-host.ts';
import { textFormats } from '../model/text-formats.ts';
import { parseUrl } from '../parse-url.ts';

export type ChannelType = 'HTTP' | 'EMAIL';

export const channelTypes: readonly ChannelType[] = ['HTTP', 'EMAIL'];

export interface AddressPolicy {
  environment: 'production' | 'test';
  /** Addresses and CIDR ranges that are allowed although they are not public, also over plain `http` in production. */
  allowedTargets: readonly string[];
}

/** Returns what is wrong with the address; undefined if it is valid. */
export function checkAddress(address: string, channelType: ChannelType, policy: AddressPolicy): string | undefined {
  if (channelType === 'HTTP') return checkUrl(address, policy);
  return textFormats.email.fits(address) ? undefined : `must be ${textFormats.email.requirement}.`;
}

function checkUrl(text: string, { environment, allowedTargets }: AddressPolicy): string | undefined {
  // Checks the text itself: `new URL` silently drops tabs and line breaks, and accepts a backslash as a slash and `///`
  // as `//`.
  const stranger = /[\0-\x20\x7f\\]/.exec(text);
  if (stranger)
    return `cannot have ${stranger[0] === ' ' ? 'a space' : nameCodePoint(stranger[0].charCodeAt(0))} at position ${stranger.index + 1}: no URL has spaces, control characters or backslashes.`;
  const [, authority] = /^https?:\/\/([^/?#]+)/i.exec(text) ?? [];
  const url = parseUrl(text);
  if (authority === undefined || !url) return 'must be an http or https URL, like https://agent.example/webhooks.';
  if (authority.includes('@')) return 'cannot carry a user or password: send webhookUsername and webhookPassword.';
  if (text.includes('#')) return 'cannot have a fragment (#…): it would not be sent.';
  if (url.port === '0') return 'cannot have port 0.';
  if (hasEmptyLabel(url.hostname)) return 'must have a host name without empty parts, as between two dots.';
  const targets = createAddressPolicy(allowedTargets);
  const addresses = literalAddresses(url.hostname);
  // A host name is checked after it is resolved, because its addresses may be allowed.
  const mistake = addresses && checkTarget(url, addresses, targets);
  if (mistake !== undefined) return mistake;
  const isListed = addresses?.every((address) => targets.isListed(address)) ?? false;
  if (environment === 'production' && url.protocol === 'http:' && !isListed)
    return 'must be an https URL: this is a production environment.';
  return undefined;
}

/** A trailing dot stands for the DNS root. */
function hasEmptyLabel(host: string): boolean {
  return host.replace(/\.$/, '').split('.').includes('');
}
