// The settings as an administrator may see them: those with a secret only say whether they are set.

import type { SettingRow } from './setting-row.ts';
import { type Settings, settingsTable } from './settings-table.ts';

export interface ShownSetting {
  variable: string;
  /** As written. Null if it is not set, or secret. */
  value: string | null;
  source: 'ENVIRONMENT' | 'DEFAULT' | 'NOT_SET';
  isSecret: boolean;
  description: string;
}

export function showSettings({ given }: Settings): ShownSetting[] {
  const rows: SettingRow<unknown>[] = Object.values(settingsTable);
  return rows.map(({ variable, fallback = null, isSecret = false, sentence: description }) => {
    if (!given.has(variable))
      return { variable, value: fallback, source: fallback === null ? 'NOT_SET' : 'DEFAULT', isSecret, description };
    return { variable, value: isSecret ? null : given.get(variable)!, source: 'ENVIRONMENT', isSecret, description };
  });
}
