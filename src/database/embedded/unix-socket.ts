// The Unix socket of the embedded server, in its own folder, which is closed to other users. Not every folder can have one: its path
// may be too long, or its file system has no sockets.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { access, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

const prefix = '.s.PGSQL.';
/** Of `sun_path`, without the zero at its end: 107 on Linux, 103 on macOS. */
const pathBytesMax = 103;

/** The setting of the server: relative to its folder, or none. */
export async function chooseSocketFolder(folder: string, cluster: string): Promise<'.' | ''> {
  if (process.platform === 'win32' || Buffer.byteLength(socketPath(cluster, 65_535)) > pathBytesMax) return '';
  return (await takesSockets(folder)) ? '.' : '';
}

/** Whether the server that is ready on this port has one. */
export async function hasSocket(cluster: string, port: number): Promise<boolean> {
  return access(socketPath(cluster, port)).then(
    () => true,
    () => false,
  );
}

/** A killed server leaves them, with lock files. PostgreSQL would take any living process with the id in such a file for their owner. */
export async function removeSockets(cluster: string): Promise<void> {
  const names = await readdir(cluster).catch((): string[] => []);
  for (const name of names) if (name.startsWith(prefix)) await rm(join(cluster, name), { force: true });
}

function socketPath(cluster: string, port: number): string {
  return join(cluster, `${prefix}${port}`);
}

/** Some network and virtual file systems have no sockets, and the server would not start. */
async function takesSockets(folder: string): Promise<boolean> {
  const path = join(folder, `.socket-${randomUUID().slice(0, 8)}`);
  const server = createServer().listen(path);
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
