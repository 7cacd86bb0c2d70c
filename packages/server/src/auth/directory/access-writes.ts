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
  return {
    after,
    through: (objects) => wrapWrites(objects, (type, writing) => (accessTypes.has(type) ? after(writing) : writing)),
  };
}

/** The same objects, but every write goes through `wrap`, with the name of its type. */
export function wrapWrites(objects: Objects, wrap: <T>(type: string, writing: Promise<T>) => Promise<T>): Objects {
  return {
    ...objects,
    create: (request) => wrap(request.type.name, objects.create(request)),
    change: (request) => wrap(request.type.name, objects.change(request)),
    delete: (request) => wrap(request.type.name, objects.delete(request)),
  };
}
