// The shell command that gets a token, ready to paste after the client is filled in. It needs only curl and sed.

import { tokenPath } from '../../paths.ts';
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

/** Quotes a text as one word of a shell command. */
export function quoteWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
