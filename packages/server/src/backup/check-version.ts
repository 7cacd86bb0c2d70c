// Whether this version can restore a backup. Checked before anything is written.

import { listMigrationFiles } from '../database/apply-files.ts';
import { OperatorError } from '../errors.ts';
import type { BackupHeader } from './backup-header.ts';

export async function checkVersion({ version, migrations }: BackupHeader): Promise<void> {
  const files = new Map((await listMigrationFiles()).map(({ name, digest }) => [name, digest]));
  const unknown = migrations.filter(({ name }) => !files.has(name)).map(({ name }) => name);
  if (unknown.length > 0)
    throw new OperatorError(
      `The backup was made by a newer version of Flaghoist (${version}, with ${unknown.join(', ')}). Restore it with ` +
        'that version or a newer one. Nothing was restored.',
    );
  const changed = migrations.filter(({ name, digest }) => files.get(name) !== digest).map(({ name }) => name);
  if (changed.length > 0)
    throw new OperatorError(
      `The backup was made by another build of Flaghoist ${version}, whose migrations differ ` +
        `(${changed.join(', ')}). Restore it with that build. Nothing was restored.`,
    );
}
