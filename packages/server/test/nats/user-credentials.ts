// The text of a `.creds` file, as the tools of NATS write it.

import { nkeys } from '@nats-io/transport-node';
import type { TestService } from '../support/test-service.ts';

export type Key = ReturnType<typeof nkeys.createUser>;

export function credentialsOf(jwt: string, user: Key): string {
  return `-----BEGIN NATS USER JWT-----
${jwt}
------END NATS USER JWT------

-----BEGIN USER NKEY SEED-----
${Buffer.from(user.getSeed()).toString()}
------END USER NKEY SEED------
`;
}

/** Of a user that no server knows. Its seed is planted: the service must not show it. */
export function userCredentials(service: TestService): string {
  const user = nkeys.createUser();
  service.secrets.plant('the seed of credentials', Buffer.from(user.getSeed()).toString());
  return credentialsOf('eyJhIjoxfQ.eyJhIjoxfQ.c2lnbmVk', user);
}
