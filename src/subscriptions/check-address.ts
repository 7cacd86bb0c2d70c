// Where notifications may go, as far as it can be told when a subscription is saved: a URL is looked at as text, and no name is
// resolved.

import { createAddressPolicy } from '../channels/address-policy.ts';
import { checkTarget } from '../channels/check-target.ts';
import { literalAddresses } from '../channels/literal-host.ts';
import { nameCodePoint } from '../json/printable.ts';
import { textFormats } from '../model/text-formats.ts';
import { parseUrl } from '../parse-url.ts';

export type ChannelType = 'HTTP' | 'EMAIL';

export const channelTypes: readonly ChannelType[] = ['HTTP', 'EMAIL'];

export interface AddressPolicy {
  environment: 'production' | 'test';
  /** Addresses and CIDR ranges that are allowed although they are not public, over plain `http` in production too. */
  allowedTargets: readonly string[];
}

/** What is wrong with it; undefined where nothing is. */
export function checkAddress(address: string, channelType: ChannelType, policy: AddressPolicy): string | undefined {
  if (channelType === 'HTTP') return checkUrl(address, policy);
  return textFormats.email.fits(address) ? undefined : `must be ${textFormats.email.requirement}.`;
}

function checkUrl(text: string, { environment, allowedTargets }: AddressPolicy): string | undefined {
  // On the text itself: `new URL` drops tabs and line breaks in silence, takes a backslash for a slash, and `///` for `//`.
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
  // A name is judged once it has been looked up: its addresses may be allowed.
  const mistake = addresses && checkTarget(url, addresses, targets);
  if (mistake !== undefined) return mistake;
  const isListed = addresses?.every((address) => targets.isListed(address)) ?? false;
  if (environment === 'production' && url.protocol === 'http:' && !isListed)
    return 'must be an https URL: this is a production environment.';
  return undefined;
}

/** A dot at the end is that of the root. */
function hasEmptyLabel(host: string): boolean {
  return host.replace(/\.$/, '').split('.').includes('');
}
