// The disk of the embedded database is full to the last byte, by a file beside the data folder.

import { join } from 'node:path';
import type { Hardship } from './hardship.ts';
import { mountSmallDisk } from './small-disk.ts';

const diskMb = 400;

export const fullDisk: Hardship = {
  name: 'full-disk',
  meaning: `The data folder is on a disk of ${diskMb} MB (tmpfs), which another file fills to the last byte.`,
  allowed: [503, 507],
  shows: [
    { asker: 'write', status: 507 },
    { asker: 'read', status: 200 },
  ],
  prepare() {
    const disk = mountSmallDisk(diskMb);
    if (disk === undefined) return { kind: 'skipped', reason: 'only root may mount a small disk' };
    return {
      kind: 'means',
      database: 'embedded',
      dataDir: join(disk.folder, 'data'),
      begin: () => disk.fill(),
      end: () => disk.empty(),
      dispose: () => disk.remove(),
    };
  },
};
