// The subscriptions of a run, and the expected result of each change.

import { hostileScripts, hostileStylesheets } from '../../bench/sandbox/hostile.ts';
import type { ScriptedSubscription } from '../../bench/sandbox/scripted-world.ts';
import { scriptsTrue, typicalScript, typicalStylesheet } from '../../bench/sandbox/typical.ts';

/** Delivered, suppressed by a script, suppressed because the script failed, or a failed notification with a reason. */
export type Fate = 'delivered' | 'held back' | 'script failed' | 'stylesheet failed';

export interface RunSubscription extends ScriptedSubscription {
  /** Its name in the report. */
  kind: string;
  fate: Fate;
  isHostile: boolean;
}

const plain = 3;
const wideScripts = 10;
/** Each with its own script. */
const busyVoyages = 90;
/** Those that also have a stylesheet. */
const stylesheets = 27;
/** One voyage per hostile subscription; only the wide subscriptions are for it, too. */
const rareVoyages = Object.keys(hostileScripts).length + Object.keys(hostileStylesheets).length;

export const voyagesChanged = busyVoyages + rareVoyages;

export function planSubscriptions(voyageKeys: readonly number[], urls: readonly string[]): RunSubscription[] {
  const busy = voyageKeys.slice(0, busyVoyages);
  const hostile = [
    ...Object.entries(hostileScripts).map(([kind, script]) => ({ ...bad(kind, 'script failed'), script })),
    ...Object.entries(hostileStylesheets).map(([kind, stylesheet]) => ({
      ...bad(kind, 'stylesheet failed'),
      stylesheet,
    })),
  ];
  const planned: Planned[] = [
    ...repeat(plain, () => good('no script', 'Voyage.U', 'delivered')),
    // Half of them return true.
    ...repeat(wideScripts, (n) => scripted('Voyage.U', n % 2 === 0 ? n : n + scriptsTrue)),
    ...busy.map((key, n) => scripted(`Voyage.U.${key}`, n % 20)),
    ...busy.slice(0, stylesheets).map((key) => withStylesheet(`Voyage.U.${key}`)),
    ...hostile.map((each, n) => ({ ...each, eventType: `Voyage.U.${voyageKeys[busyVoyages + n]}` })),
  ];
  return planned.map((each, n) => ({ ...each, url: urls[n % urls.length]! }));
}

/**
 * Which voyages change, repeatedly: each rare one once in this many changes. A lane with timeouts pauses for up to a
 * minute, so more changes of it would only pile up.
 */
export function placesOf(voyageKeys: readonly number[], changes: number): number[] {
  const every = Math.floor(changes / rareVoyages);
  return Array.from({ length: every * rareVoyages }, (_, n) =>
    n % every === 0 ? voyageKeys[busyVoyages + n / every]! : voyageKeys[(n - Math.ceil(n / every)) % busyVoyages]!,
  );
}

type Planned = Omit<RunSubscription, 'url'>;

function good(kind: string, eventType: string, fate: Fate): Planned {
  return { kind, eventType, fate, isHostile: false };
}

function scripted(eventType: string, n: number): Planned {
  const isTrue = n < scriptsTrue;
  const kind = isTrue ? 'a script that answers true' : 'a script that answers false';
  return { ...good(kind, eventType, isTrue ? 'delivered' : 'held back'), script: typicalScript(n) };
}

function withStylesheet(eventType: string): Planned {
  return { ...good('a stylesheet', eventType, 'delivered'), stylesheet: typicalStylesheet };
}

function bad(kind: string, fate: Fate): Omit<Planned, 'eventType'> {
  return { kind, fate, isHostile: true };
}

function repeat<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n));
}
