// Composes a client from its options.

import type { Catalogue } from '../catalogue.ts';
import { checkOptions } from './check-options.ts';
import type { Client } from './client.ts';
import type { ClientOptions } from './client-options.ts';
import { createSender } from './send-request.ts';
import { ServiceClient } from './service-client.ts';
import { createTokenSource } from './token-source.ts';

/** `Catalogue`: the object types of the installation, if it has its own ones; `flaghoist types` writes them. */
export function createClient<C = Catalogue>(options: ClientOptions): Client<C> {
  checkOptions(options);
  const { exactNumbers = false } = options;
  const tokens = createTokenSource(options);
  const send = createSender(options, tokens);
  return new ServiceClient({ send, exactNumbers, clientId: () => tokens.clientId() }) as unknown as Client<C>;
}
