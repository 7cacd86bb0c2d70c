// Turns the certificate and key of a subscription into what a connection presents.

import { createHash } from 'node:crypto';
import type { MutualTls } from '../receiver-auth.ts';
import type { TlsIdentity } from './open-tls.ts';

/** The ids are computed once per subscription, not once per notification. */
const known = new WeakMap<MutualTls, TlsIdentity>();

export function tlsIdentityOf(auth: MutualTls): TlsIdentity {
  const identity = known.get(auth) ?? createIdentity(auth);
  known.set(auth, identity);
  return identity;
}

/** The id covers the key: who knows only the certificate, which is public, never shares a connection. */
function createIdentity({ certificate, privateKey }: MutualTls): TlsIdentity {
  const id = createHash('sha256')
    .update(JSON.stringify([certificate, privateKey]))
    .digest('base64');
  return { id, certificate, privateKey };
}
