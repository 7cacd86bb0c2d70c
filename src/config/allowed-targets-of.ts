// The targets that are allowed although they are not public: what is set, or what goes without saying in the environment.

import type { Settings } from './settings-table.ts';

export function allowedTargetsOf({ environment, allowedTargets }: Settings): readonly string[] {
  return allowedTargets ?? (environment === 'test' ? loopback : []);
}

const loopback = ['127.0.0.0/8', '::1/128'];
