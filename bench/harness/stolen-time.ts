// How much processor time others took from this machine: virtual machines share hardware, and one that wants to compute may have to wait
// for another. Linux says so (`steal` in proc(5)); elsewhere it counts as none.

import { readFileSync } from 'node:fs';

/** Of all processors, since the machine was started, in units of the system. */
export interface ProcessorTimes {
  used: number;
  stolen: number;
}

/** In proc(5): idle, and idle while a disk was waited for. What comes after the stolen time is counted before, too. */
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

/** From 0 to 1, between two readings: of the time that was wanted. Who wants little is not thought quiet for that. */
export function stolenShare(before: ProcessorTimes, after: ProcessorTimes): number {
  const stolen = after.stolen - before.stolen;
  const wanted = after.used - before.used + stolen;
  return wanted > 0 ? stolen / wanted : 0;
}
