// The audience that tokens of this installation are for.

import type { Settings } from './settings-table.ts';

export function audienceOf({ environment, audienceProduction, audienceTest }: Settings): string {
  return environment === 'production' ? audienceProduction : audienceTest;
}
