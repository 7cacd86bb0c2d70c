// How much processor time other virtual machines on the same hardware took. Linux reports it (`steal` in proc(5));
// elsewhere it counts as none.

import { readFileSync } from 'node:fs';

/** Of all processors since the boot, in units of the system. */
export interface ProcessorTimes {
  used: number;
  stolen: number;
}

/** In proc(5): idle and iowait. The fields after the stolen time are included in earlier ones. */
const idleColumns = [3, 4];
const stolenColumn = 7;

export function readProcessorTimes(): ProcessorTimes {
  const [line = ''] = readStat().split('\n');
  const times = line.split(/\s+/).slice(1).map(Number);
  const isUsed = (column: number) => column < stolenColumn && !idleColumns.includes(column);
  return {
    used: times.filter((_, column) => isUsed(column)).reduce((sum, time) => sum + time, 0),
    stolen: times[stolenColumn] ?? 0,
  };
}

function readStat(): string {
  try {
    return readFileSync('/proc/stat', 'utf8');
  } catch {
    return '';
  }
}

/** From 0 to 1: the stolen share of the wanted time between two readings. Idle time does not count as wanted. */
export function stolenShare(before: ProcessorTimes, after: ProcessorTimes): number {
  const stolen = after.stolen - before.stolen;
  const wanted = after.used - before.used + stolen;
  return wanted > 0 ? stolen / wanted : 0;
}
