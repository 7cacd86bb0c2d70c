// A PostgreSQL server in a data folder. It is created on the first start, runs beside this process, is restarted if it
// dies, and ends with this process. One process at a time can use a folder.

import { mkdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { claimFolder, type FolderClaim } from './claim-folder.ts';
import { checkName, clusterFolder } from './cluster-plan.ts';
import { explainFolderError } from './embedded-server-error.ts';
import { ensureCluster } from './ensure-cluster.ts';
import { launchFirst, relaunch, type ServerPlan } from './launch-server.ts';
import { linkLibraries } from './link-libraries.ts';
import { locateBinaries, type PostgresBinaries } from './locate-binaries.ts';
import type { Postmaster } from './postmaster.ts';
import { endEarlierServer } from './postmaster-file.ts';
import { chooseRunAs } from './run-as.ts';
import type { OnEvent } from './server-event.ts';
import { nearestUrl } from './server-url.ts';
import { shareBinaries } from './share-binaries.ts';
import { chooseSocketFolder } from './unix-socket.ts';

export interface EmbeddedServerOptions {
  /** Where everything is kept; created if missing. */
  dataDir: string;
  /** The name of the role, and of its database. It cannot change once the database exists. */
  name: string;
  onEvent?: OnEvent;
  /** Settings of PostgreSQL; they override those of this package. */
  settings?: Record<string, string>;
  /** The server lasts no longer than a command: no other process relies on it, and a service waits for its end. */
  isBrief?: boolean;
}

export class EmbeddedServer {
  /** Stays the same when the server is restarted. */
  readonly url: string;
  readonly #plan: ServerPlan;
  readonly #port: number;
  readonly #claim: FolderClaim;
  readonly #stopping: AbortController;
  readonly #supervision: Promise<void>;
  #postmaster: Postmaster;
  #stopped: Promise<void> | undefined;

  static async start(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
    checkName(options.name);
    const binaries = await locateBinaries();
    try {
      const folder = await openFolder(options.dataDir);
      const claim = await claimFolder(folder, options.isBrief);
      try {
        const stopping = new AbortController();
        const plan = await prepare(folder, binaries, options, stopping.signal);
        const { postmaster, port } = await launchFirst(plan);
        const url = await nearestUrl({ ...plan, port }, clusterFolder(folder));
        return new EmbeddedServer(plan, claim, stopping, { postmaster, port, url });
      } catch (error) {
        await claim.release().catch(() => {});
        throw error;
      }
    } catch (error) {
      throw explainFolderError(resolve(options.dataDir), error);
    }
  }

  private constructor(
    plan: ServerPlan,
    claim: FolderClaim,
    stopping: AbortController,
    { postmaster, port, url }: { postmaster: Postmaster; port: number; url: string },
  ) {
    this.url = url;
    this.#plan = plan;
    this.#port = port;
    this.#claim = claim;
    this.#stopping = stopping;
    this.#postmaster = postmaster;
    this.#supervision = this.#supervise();
  }

  /** The id of the server's main process; undefined while the server does not run. */
  get pid(): number | undefined {
    return this.#postmaster.pid;
  }

  /** Can be called more than once. */
  stop(): Promise<void> {
    this.#stopped ??= this.#shutDown();
    return this.#stopped;
  }

  async #shutDown(): Promise<void> {
    this.#stopping.abort();
    await this.#postmaster.stop();
    await this.#supervision;
    await this.#claim.release();
  }

  async #supervise(): Promise<void> {
    const { onEvent } = this.#plan;
    for (;;) {
      const exit = await this.#postmaster.exited;
      if (this.#stopping.signal.aborted) return;
      const exitedAt = performance.now();
      onEvent({ kind: 'database.exited', exit });
      const next = await relaunch(this.#plan, this.#port);
      if (next === undefined) return;
      this.#postmaster = next;
      onEvent({ kind: 'database.restarted', startupMs: Math.round(performance.now() - exitedAt) });
      // `stop` may have been called just before the new server became ready.
      if (this.#stopping.signal.aborted) await next.stop();
    }
  }
}

async function openFolder(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // A server is recognised by its folder, so the folder must always have the same path.
  return await realpath(dataDir);
}

async function prepare(
  folder: string,
  located: PostgresBinaries,
  options: EmbeddedServerOptions,
  stopping: AbortSignal,
): Promise<ServerPlan> {
  const { name, onEvent = () => {} } = options;
  const cluster = clusterFolder(folder);
  const settings = { unix_socket_directories: await chooseSocketFolder(folder, cluster), ...options.settings };
  const libraries = await linkLibraries(located, join(folder, 'postgres-libraries'));
  const runAs = await chooseRunAs({ clusterDir: cluster, libraries });
  const binaries = await shareBinaries(located, runAs);
  await endEarlierServer(cluster, onEvent);
  const plan = { folder, name, binaries, runAs, settings, onEvent };
  return { ...plan, password: await ensureCluster(plan), stopping };
}
