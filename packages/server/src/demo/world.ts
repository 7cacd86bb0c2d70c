// What each part of the demo gets: the service client, the random source, the clock and a function that prints.

import type { Clock } from '../clock.ts';
import type { Random } from './chance.ts';
import type { ServiceClient } from './service-client.ts';

export interface World {
  client: ServiceClient;
  random: Random;
  clock: Clock;
  print: (line: string) => void;
}

/** Makes one realistic change and returns a line that describes it. Undefined if there is nothing to change now. */
export type Change = (world: World) => Promise<string | undefined>;
