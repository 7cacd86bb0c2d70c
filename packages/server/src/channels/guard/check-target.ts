// Checks whether notifications may be sent to the host and port of a URL, given its addresses if they are known. Pure.

import { type AddressPolicy, forbiddenTarget } from './address-policy.ts';
import { checkBlockedPort } from './blocked-ports.ts';
import { literalAddresses } from './literal-host.ts';
import { checkReservedName } from './reserved-names.ts';

/**
 * Returns what is wrong with the target. If all its addresses are in FLAGHOIST_ALLOWED_TARGETS, any name and any port
 * is allowed. A reserved name without a known address is rejected: no public receiver can ever exist under it.
 */
export function checkTarget(
  { hostname, port }: Pick<URL, 'hostname' | 'port'>,
  addresses: readonly string[] | undefined,
  policy: AddressPolicy,
): string | undefined {
  if (addresses?.some((address) => !policy.isAllowed(address))) return forbiddenTarget;
  if (addresses?.every((address) => policy.isListed(address))) return undefined;
  const ofName = literalAddresses(hostname) ? undefined : checkReservedName(hostname);
  const mistake = ofName ?? checkBlockedPort(port);
  return mistake === undefined ? undefined : `cannot be sent to: ${mistake}. ${howToAllow}`;
}

const howToAllow =
  'The operator of this service can allow it by adding all addresses of the host to FLAGHOIST_ALLOWED_TARGETS.';
