// Checks a URL that notifications may be sent to, as far as its text tells. No host name is resolved.

import { nameCodePoint } from '@flaghoist/source-text';
import type { Settings } from '../../config/settings-table.ts';
import { parseUrl } from '../../parse-url.ts';
import type { AddressPolicy } from '../guard/address-policy.ts';
import { checkTarget } from '../guard/check-target.ts';
import { literalAddresses } from '../guard/literal-host.ts';

/** Returns what is wrong with the URL; undefined if it is valid. */
export function checkUrl(
  text: string,
  policy: AddressPolicy,
  environment: Settings['environment'],
): string | undefined {
  // Checks the text itself: `new URL` silently drops tabs and line breaks, and accepts a backslash as a slash and `///`
  // as `//`.
  const stranger = /[\0-\x20\x7f\\]/.exec(text);
  if (stranger)
    return (
      `cannot have ${stranger[0] === ' ' ? 'a space' : nameCodePoint(stranger[0].charCodeAt(0))} at position ` +
      `${stranger.index + 1}: no URL has spaces, control characters or backslashes.`
    );
  const [, authority] = /^https?:\/\/([^/?#]+)/i.exec(text) ?? [];
  const url = parseUrl(text);
  if (authority === undefined || !url) return 'must be an http or https URL, like https://agent.example/webhooks.';
  if (authority.includes('@')) return 'cannot carry a user or password: send webhookUsername and webhookPassword.';
  if (text.includes('#')) return 'cannot have a fragment (#…): it would not be sent.';
  if (url.port === '0') return 'cannot have port 0.';
  if (hasEmptyLabel(url.hostname)) return 'must have a host name without empty parts, as between two dots.';
  const addresses = literalAddresses(url.hostname);
  // A host name is checked after it is resolved, because its addresses may be allowed.
  const mistake = addresses && checkTarget(url, addresses, policy);
  if (mistake !== undefined) return mistake;
  // The operator's own receivers may use plain `http`, also in production.
  const isListed = addresses?.every((address) => policy.isListed(address)) ?? false;
  if (environment === 'production' && url.protocol === 'http:' && !isListed)
    return 'must be an https URL: this is a production environment.';
  return undefined;
}

/** A trailing dot stands for the DNS root. */
function hasEmptyLabel(host: string): boolean {
  return host.replace(/\.$/, '').split('.').includes('');
}
