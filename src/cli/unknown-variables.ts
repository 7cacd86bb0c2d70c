// Variables that look like settings and are none, with the setting that was probably meant. One message, for the start
// of the service and for `check-config`.

import { settingsTable } from '../config/settings-table.ts';
import { meantName } from '../query/nearest-name.ts';

export interface UnknownVariable {
  variable: string;
  /** The setting that it is most likely a misspelling of. */
  meant: string | undefined;
}

const prefix = 'FLAGHOIST_';

/** Without the prefix, which all of them share: it would make every name look similar. */
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
  return `${variable} is set, but is no setting of Flaghoist.${hint}`;
}
