// Signs in to the console: reads the request, and begins a session by the method that it uses.

import type { ConsoleParts, OpenedSession } from './console-parts.ts';
import { openByClient } from './sign-in-by-client.ts';
import { openByIssuer } from './sign-in-by-issuer.ts';
import { openByLink } from './sign-in-by-link.ts';
import { rejectTooMany } from './sign-in-limit.ts';
import { readSignIn, type SignInRequest } from './sign-in-request.ts';

export interface SentSignIn {
  body: Buffer;
  address: string;
  /** The cookie of a sign-in that began in this browser. */
  sealed: string | undefined;
}

export async function signIn(parts: ConsoleParts, { body, address, sealed }: SentSignIn): Promise<OpenedSession> {
  rejectTooMany(parts.throttle.countRequest(address));
  const request = readSignIn(body, parts.methods);
  const opened = await openSession(parts, { request, address, sealed });
  parts.observe({ kind: 'console.signedIn', method: request.method, client: opened.session.client });
  return opened;
}

interface ReadSignIn extends Omit<SentSignIn, 'body'> {
  request: SignInRequest;
}

function openSession(parts: ConsoleParts, { request, address, sealed }: ReadSignIn): Promise<OpenedSession> {
  switch (request.method) {
    case 'CLIENT':
      return openByClient(parts, request, address);
    case 'LINK':
      return openByLink(parts, request, address);
    case 'ISSUER':
      return openByIssuer(parts, { ...request, sealed }, address);
  }
}
