// Makes changes to users and clients by this process take effect with its next request. Each change marks the
// directory stale, so it queries the database before it trusts its cache again. Other processes follow within a second.

import type { Objects } from '../../objects/objects.ts';
import type { AccessDirectory } from './access-directory.ts';

export interface AccessWrites {
  /** The same objects, but a write to users or clients marks the directory stale. */
  through(objects: Objects): Objects;
  /** Returns the result of `writing`, after the directory was marked stale. */
  after<T>(writing: Promise<T>): Promise<T>;
}

const accessTypes: ReadonlySet<string> = new Set(['ApiUser', 'ApiClient']);

export function accessWrites(directory: Pick<AccessDirectory, 'markStale'>): AccessWrites {
  // Also after a failure: if the connection is lost during COMMIT, the outcome is unknown.
  const after = <T>(writing: Promise<T>) => writing.finally(() => directory.markStale());
  const write = <T>({ name }: { name: string }, writing: Promise<T>) =>
    accessTypes.has(name) ? after(writing) : writing;
  return {
    after,
    through: (objects) => ({
      ...objects,
      create: (request) => write(request.type, objects.create(request)),
      change: (request) => write(request.type, objects.change(request)),
      delete: (request) => write(request.type, objects.delete(request)),
    }),
  };
}
