// The non-public targets that are allowed: the setting, or the default of the environment.

import type { Settings } from './settings-table.ts';

export function allowedTargetsOf({ environment, allowedTargets }: Settings): readonly string[] {
  return allowedTargets ?? (environment === 'test' ? loopback : []);
}

const loopback = ['127.0.0.0/8', '::1/128'];
