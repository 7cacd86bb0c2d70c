// Judges how much an attack affected others.

import type { Probed } from '../backlog/api-probe.ts';
import type { Finding } from '../finding.ts';
import type { PeakMemory } from './memory-watch.ts';

export interface Phase {
  victim: Probed;
  health: Probed;
}

/** Ratio to the time without the attack. */
export const p50TimesMax = 10;
export const p99TimesMax = 20;
export const healthMsMax = 500;
export const serviceMbMax = 600;
export const postgresMbMax = 500;

export function judgeAttack(calm: Phase, attacked: Phase, peak: PeakMemory): Finding[] {
  const findings: Finding[] = [];
  const find = (kind: Finding['kind'], isSo: boolean, text: string) => {
    if (isSo) findings.push({ kind, text });
  };
  const [before, during] = [calm.victim, attacked.victim];
  find('too late', !(during.p50Ms <= before.p50Ms * p50TimesMax), `p50 ${during.p50Ms.toFixed(1)} ms`);
  find('too late', !(during.p99Ms <= before.p99Ms * p99TimesMax), `p99 ${during.p99Ms.toFixed(1)} ms`);
  find('too late', !(attacked.health.maxMs <= healthMsMax), `health after ${attacked.health.maxMs.toFixed(0)} ms`);
  find('nothing shown', peak.serviceMb === 0 || peak.postgresMb === 0, 'the memory of a process could not be read');
  find('too much memory', peak.serviceMb > serviceMbMax, `service: ${peak.serviceMb.toFixed(0)} MB`);
  find('too much memory', peak.postgresMb > postgresMbMax, `PostgreSQL: ${peak.postgresMb.toFixed(0)} MB`);
  return findings;
}
