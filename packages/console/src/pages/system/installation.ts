// What the service says of itself.

import { request } from '../../service/request.ts';

export interface Demo {
  state: 'STOPPED' | 'RUNNING';
  canStart: boolean;
  /** Why it cannot be started. */
  reason: string | null;
  /** Why it has ended by itself. */
  failure: string | null;
}

export interface Setting {
  variable: string;
  value: string | null;
  source: 'ENVIRONMENT' | 'DEFAULT' | 'NOT_SET';
  isSecret: boolean;
  description: string;
}

export interface Worker {
  id: string;
  state: 'ALIVE' | 'LATE' | 'DEAD';
  leaseEnds: string | null;
}

export interface Queue {
  name: 'events' | 'shaping' | 'ready' | 'blocked' | 'retry' | 'parked' | 'stream';
  waiting: number;
  oldestSeconds: number;
}

/** What is null is for administrators. */
export interface Installation {
  environment: string;
  version: string;
  baseUrl: string;
  startedAt: string;
  demo: Demo;
  database: { kind: 'EMBEDDED' | 'SERVER'; version: string } | null;
  settings: Setting[] | null;
  workers: Worker[] | null;
  queues: Queue[] | null;
}

export function loadInstallation(signal: AbortSignal): Promise<Installation> {
  return request('/installation', { signal });
}

export async function changeDemo(action: 'START' | 'STOP'): Promise<void> {
  await request('/installation/demo', { method: 'POST', body: { action } });
}
