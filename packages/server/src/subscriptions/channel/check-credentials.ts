// Checks the text of a `.creds` file when a subscription is saved. No message repeats it.

import { parseCredentials } from '../../channels/nats/credentials.ts';

/** Returns what is wrong with the credentials. Undefined: they were not sent, or they are valid. */
export function checkCredentials(text: string | undefined): string | undefined {
  if (text === undefined || parseCredentials(text)) return undefined;
  return (
    'must be the text of a .creds file of NATS: a JWT between -----BEGIN NATS USER JWT----- and its end, and a seed ' +
    'between -----BEGIN USER NKEY SEED----- and its end.'
  );
}
