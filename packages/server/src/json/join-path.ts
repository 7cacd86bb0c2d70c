// Builds the path of a member inside a JSON document, as shown in messages: `portCalls.port`.

import { printable } from '@flaghoist/source-text';

/** An empty name is shown as `""`, because a path with nothing appended would name the enclosing object. */
export function joinPath(path: string, name: string): string {
  const shown = name === '' ? '""' : printable(name.length > 80 ? `${name.slice(0, 80)}…` : name);
  return path === '' ? shown : `${path}.${shown}`;
}
