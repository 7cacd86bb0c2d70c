// What the making and the running of a database cluster have in common: where it is, and how its programs are run.

import { join } from 'node:path';
import type { Observe } from '../../observability/observation.ts';
import type { PostgresBinaries } from './locate-binaries.ts';
import type { RunAs } from './run-as.ts';

export interface ClusterPlan {
  /** The data folder; the cluster is in a folder under it. */
  readonly folder: string;
  readonly binaries: PostgresBinaries;
  readonly runAs: RunAs;
  readonly settings: Readonly<Record<string, string>>;
  readonly observe: Observe;
}

export function clusterFolder(folder: string): string {
  return join(folder, 'postgres');
}
