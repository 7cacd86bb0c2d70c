// Finds the setting that an unknown FLAGHOIST_ variable was probably meant to be. Used by `check-config` and at the
// start of the service.

import { meantName } from '@flaghoist/source-text';
import { settingsTable } from '../config/settings-table.ts';

export interface UnknownVariable {
  variable: string;
  /** The setting that the variable is most likely a misspelling of. */
  meant: string | undefined;
}

const prefix = 'FLAGHOIST_';

/** Compares names without their common prefix, which would make all names look similar. */
export function explainUnknown(variable: string): UnknownVariable {
  const names = Object.values(settingsTable)
    .map((row) => row.variable)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
  const meant = meantName(variable.slice(prefix.length), names);
  return { variable, meant: meant === undefined ? undefined : `${prefix}${meant}` };
}

export function renderUnknown({ variable, meant }: UnknownVariable): string {
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `${variable} is set, but is not a setting of Flaghoist.${hint}`;
}
