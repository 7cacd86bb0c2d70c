// `flaghoist settings`: prints every setting with its default and meaning.

import type { SettingRow } from '../config/setting-row.ts';
import { settingsTable } from '../config/settings-table.ts';

export function printSettings(): void {
  process.stdout.write(
    Object.values(settingsTable)
      .map((row) => describe(row))
      .join('\n'),
  );
}

function describe({ variable, fallback, sentence }: SettingRow<never> | SettingRow<unknown>): string {
  return `${variable}${fallback === undefined ? '' : `=${fallback}`}\n    ${sentence}\n`;
}
