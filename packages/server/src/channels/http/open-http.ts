// Opens an HTTP client as the settings define it: with the address guard, the proxy and the certificate authorities.

import type { Settings } from '../../config/settings-table.ts';
import { egressOf } from '../guard/egress.ts';
import { HttpChannel, type HttpChannelParts } from './http-channel.ts';

export interface OpenHttpParts extends Pick<HttpChannelParts, 'timeoutMs' | 'connectionsMax'> {
  settings: Settings;
  /** The version of the service. */
  version: string;
}

export function openHttp({ settings, version, ...limits }: OpenHttpParts): HttpChannel {
  return new HttpChannel({ ...egressOf(settings), userAgent: `Flaghoist/${version}`, ...limits });
}
