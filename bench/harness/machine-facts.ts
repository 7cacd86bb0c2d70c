// The context of a result: the machine, the programs, the time, and how busy the machine was with other work.

import { availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { type ProcessorTimes, readProcessorTimes } from './stolen-time.ts';

export interface MachineFacts {
  date: string;
  processor: string;
  cores: number;
  memoryGb: string;
  system: string;
  node: string;
  postgres: string;
  /**
   * Load average of the minute before the first measurement. Near or above the number of cores: other work is running.
   */
  loadBefore: string;
  timesBefore: ProcessorTimes;
}

export function readMachineFacts(postgres: string): MachineFacts {
  return {
    date: `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: (totalmem() / 2 ** 30).toFixed(1),
    system: `${platform()} ${release()}`,
    node: process.version,
    postgres,
    loadBefore: loadNow(),
    timesBefore: readProcessorTimes(),
  };
}

export function loadNow(): string {
  return (loadavg()[0] ?? 0).toFixed(2);
}
