// The settings for outgoing connections, a part of the settings table.

import { parseCaFile } from './ca-file.ts';
import { parseProxyUrl } from './proxy-url.ts';
import { optional, secret } from './setting-row.ts';

export const egressSettings = {
  egressProxy: secret(
    'FLAGHOIST_EGRESS_PROXY',
    parseProxyUrl,
    'An HTTP proxy (`http://user:password@proxy.example:3128`) through which all receivers over HTTP and ' +
      'NATS, token endpoints, the alert URL and an external issuer are reached, with CONNECT. It also resolves their ' +
      'names. See docs/how-to/reach-receivers.md.',
  ),
  certificateAuthorities: optional(
    'FLAGHOIST_CA_FILE',
    parseCaFile,
    'A PEM file with certificate authorities to trust besides the built-in ones: for receivers, token endpoints, ' +
      'the alert URL, an external issuer and the mail server. It is read at start.',
  ),
};
