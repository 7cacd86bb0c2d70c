// The functions of a CPU profile in which most time was spent, by self time.

import type { CpuProfile, ProfileNode } from './record-profile.ts';

export interface FunctionTime {
  /** `send (channels/http-channel.js)` */
  name: string;
  /** Of the time that the process was at work. */
  share: number;
}

export function dearestFunctions(profile: CpuProfile, count: number): FunctionTime[] {
  const names = new Map(profile.nodes.map((node) => [node.id, nameOf(node)]));
  const times = new Map<string, number>();
  let busyUs = 0;
  profile.samples.forEach((id, index) => {
    const name = names.get(id)!;
    const us = profile.timeDeltas[index] ?? 0;
    if (name === '(idle)') return;
    busyUs += us;
    times.set(name, (times.get(name) ?? 0) + us);
  });
  const sorted = [...times].sort(([, a], [, b]) => b - a).slice(0, count);
  return sorted.map(([name, us]) => ({ name, share: us / busyUs }));
}

function nameOf({ callFrame: { functionName, url } }: ProfileNode): string {
  const place = /(?:node_modules|dist|dist-bench)\/(.+)$/.exec(url)?.[1] ?? url;
  return place === '' ? functionName : `${functionName || '(anonymous)'} (${place})`;
}
