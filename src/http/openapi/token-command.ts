// How to get a token in a shell, as a command that can be pasted once the client is filled in. It needs nothing but curl
// and sed.

import { tokenPath } from '../routes/token-routes.ts';
import type { DescriptionContext } from './description-context.ts';
import { tokenRequestExample } from './token-paths.ts';

export function tokenCommand(context: DescriptionContext): string {
  const body = JSON.stringify(tokenRequestExample(context), null, 2).replaceAll('\n', '\n  ');
  return [
    `TOKEN=$(curl -s -X POST ${quoteWord(`${context.baseUrl}${tokenPath}`)} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${quoteWord(body)} | sed -E 's/.*"access_token":"([^"]+)".*/\\1/')`,
  ].join('\n');
}

/** As one word of a shell command. */
export function quoteWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
