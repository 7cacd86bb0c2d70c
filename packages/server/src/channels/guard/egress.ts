// How connections leave the service: to which addresses, through which proxy, and which certificates they trust.

import { allowedTargetsOf } from '../../config/allowed-targets-of.ts';
import type { ProxyServer } from '../../config/proxy-url.ts';
import type { Settings } from '../../config/settings-table.ts';
import { type AddressPolicy, createAddressPolicy } from './address-policy.ts';
import { HostResolver } from './host-resolver.ts';

export interface Egress {
  policy: AddressPolicy;
  resolver: HostResolver;
  /** If set, all connections to receivers over HTTP and NATS go to the proxy, and it resolves all names. */
  proxy?: ProxyServer | undefined;
  /** Trusted besides the built-in ones, as PEM. */
  authorities?: readonly string[] | undefined;
}

export function egressOf(settings: Settings): Egress {
  return {
    policy: createAddressPolicy(allowedTargetsOf(settings)),
    resolver: new HostResolver({ dnsServers: settings.dnsServers }),
    proxy: settings.egressProxy,
    authorities: settings.certificateAuthorities,
  };
}
