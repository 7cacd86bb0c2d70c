// What each part of the demo is handed: the service, the dice, the time and someone to tell.

import type { Clock } from '../clock.ts';
import type { Random } from './chance.ts';
import type { ServiceClient } from './service-client.ts';

export interface World {
  client: ServiceClient;
  random: Random;
  clock: Clock;
  print: (line: string) => void;
}

/** Makes one believable change and says it in one line; nothing, if there is nothing to change just now. */
export type Change = (world: World) => Promise<string | undefined>;
