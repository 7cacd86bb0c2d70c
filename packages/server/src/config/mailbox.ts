// Parses an e-mail address with an optional display name, in the notation of mail programs.

import type { Parse } from './parse-setting.ts';

export interface Mailbox {
  name: string;
  address: string;
}

/** `ops@example.com`, or `Fleet operations <ops@example.com>`. */
export const parseMailbox: Parse<Mailbox> = (text) => {
  const [, named, bracketed] = /^\s*(.*?)\s*<([^<>]*)>\s*$/.exec(text) ?? [];
  const name = (named ?? '').replace(/^"(.*)"$/, '$1');
  const address = bracketed ?? text.trim();
  if (!plainAddress.test(address) || address.length > 254 || !plainName.test(name))
    throw new Error('must be one e-mail address in ASCII, like ops@example.com or Fleet operations <ops@example.com>');
  return { name, address };
};

const plainAddress = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@[a-z\d-]+(\.[a-z\d-]+)*$/i;

/** No invisible characters, and none that separate addresses. */
const plainName = /^[^\p{C}<>",;:@\\]{0,100}$/u;
