// The Unix socket of the embedded server, in the cluster's folder, which is closed to other users. Not every folder can
// have one: its path may be too long, or its file system may not support sockets.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { access, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

const prefix = '.s.PGSQL.';
/** The size of `sun_path` without its final zero: 107 on Linux, 103 on macOS. */
const pathBytesMax = 103;

/** The value of `unix_socket_directories`: relative to the cluster's folder, or none. */
export async function chooseSocketFolder(folder: string, cluster: string): Promise<'.' | ''> {
  if (process.platform === 'win32' || Buffer.byteLength(socketPath(cluster, 65_535)) > pathBytesMax) return '';
  return (await supportsSockets(folder)) ? '.' : '';
}

/** Whether the server that is ready on this port has a socket. */
export async function hasSocket(cluster: string, port: number): Promise<boolean> {
  return access(socketPath(cluster, port)).then(
    () => true,
    () => false,
  );
}

/**
 * A killed server leaves its sockets and their lock files behind. PostgreSQL would mistake any living process with the
 * id in such a file for their owner.
 */
export async function removeSockets(cluster: string): Promise<void> {
  const names = await readdir(cluster).catch((): string[] => []);
  for (const name of names) if (name.startsWith(prefix)) await rm(join(cluster, name), { force: true });
}

function socketPath(cluster: string, port: number): string {
  return join(cluster, `${prefix}${port}`);
}

/** Some network and virtual file systems have no sockets; the server would not start there. */
async function supportsSockets(folder: string): Promise<boolean> {
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
