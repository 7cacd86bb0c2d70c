// The audience of tokens for this installation.

import type { Settings } from './settings-table.ts';

export function audienceOf({ environment, audienceProduction, audienceTest }: Settings): string {
  return environment === 'production' ? audienceProduction : audienceTest;
}
