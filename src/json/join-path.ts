// The path of a member inside a JSON document, as messages show it: `portCalls.port`.

import { printable } from './printable.ts';

/** An empty name is shown as `""`: a path that ends in nothing would mean the object around it. */
export function joinPath(path: string, name: string): string {
  const shown = name === '' ? '""' : printable(name.length > 80 ? `${name.slice(0, 80)}…` : name);
  return path === '' ? shown : `${path}.${shown}`;
}
