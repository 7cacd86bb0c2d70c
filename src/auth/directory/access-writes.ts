// Changes to users and clients made by this process hold for its next request: after each of them the directory is
// stale and asks the database before it trusts anything again. Other processes notice within a second.

import type { Objects } from '../../objects/objects.ts';
import type { AccessDirectory } from './access-directory.ts';

export interface AccessWrites {
  /** The same objects; those who write users or clients through them need not think of the directory. */
  through(objects: Objects): Objects;
  /** Answers what `writing` does, once the directory knows that it is stale. */
  after<T>(writing: Promise<T>): Promise<T>;
}

const accessTypes: ReadonlySet<string> = new Set(['ApiUser', 'ApiClient']);

export function accessWrites(directory: Pick<AccessDirectory, 'markStale'>): AccessWrites {
  // Also where writing fails: a connection that is lost during COMMIT does not tell what became of it.
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
