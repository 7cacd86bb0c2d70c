// A PostgreSQL server of our own, in a data folder, for whoever has none: made on the first start, run beside this
// process, started again if it dies, and gone when this process is. One folder serves one process.

import { mkdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Observe } from '../../observability/observation.ts';
import { claimFolder, type FolderClaim } from './claim-folder.ts';
import { clusterFolder } from './cluster-plan.ts';
import { ensureCluster } from './ensure-cluster.ts';
import { launchFirst, nearestUrl, relaunch, type ServerPlan } from './launch-server.ts';
import { linkLibraries } from './link-libraries.ts';
import { locateBinaries, type PostgresBinaries } from './locate-binaries.ts';
import type { Postmaster } from './postmaster.ts';
import { settleEarlierServer } from './postmaster-file.ts';
import { chooseRunAs } from './run-as.ts';
import { shareBinaries } from './share-binaries.ts';
import { explainFolderError } from './system-error.ts';
import { chooseSocketFolder } from './unix-socket.ts';

export interface EmbeddedServerOptions {
  dataDir: string;
  observe: Observe;
  /** More settings of PostgreSQL, over the fixed ones. */
  settings?: Record<string, string>;
  /** For the length of a command: no other is to rely on this server. */
  isBrief?: boolean;
}

export class EmbeddedServer {
  /** Stays the same when the server is started again. */
  readonly url: string;
  readonly #plan: ServerPlan;
  readonly #port: number;
  readonly #claim: FolderClaim;
  readonly #stopping: AbortController;
  readonly #supervision: Promise<void>;
  #postmaster: Postmaster;
  #stopped: Promise<void> | undefined;

  static async start(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
    const binaries = await locateBinaries();
    try {
      const folder = await openFolder(options.dataDir);
      const claim = await claimFolder(folder, options.isBrief);
      try {
        const stopping = new AbortController();
        const plan = await prepare(folder, binaries, options, stopping.signal);
        const { postmaster, port } = await launchFirst(plan);
        const url = await nearestUrl(plan.password, port, clusterFolder(folder));
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

  /** The server's process; undefined while there is none. */
  get pid(): number | undefined {
    return this.#postmaster.pid;
  }

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
    const { observe } = this.#plan;
    for (;;) {
      const exit = await this.#postmaster.exited;
      if (this.#stopping.signal.aborted) return;
      const exitedAt = performance.now();
      observe({ kind: 'database.exited', exit });
      const next = await relaunch(this.#plan, this.#port);
      if (next === undefined) return;
      this.#postmaster = next;
      observe({ kind: 'database.restarted', startupMs: Math.round(performance.now() - exitedAt) });
      // It may have become ready in the very moment of being told to stop.
      if (this.#stopping.signal.aborted) await next.stop();
    }
  }
}

async function openFolder(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // The server is recognised by the folder on its command line: one folder, one name.
  return await realpath(dataDir);
}

async function prepare(
  folder: string,
  located: PostgresBinaries,
  options: EmbeddedServerOptions,
  stopping: AbortSignal,
): Promise<ServerPlan> {
  const { observe } = options;
  const cluster = clusterFolder(folder);
  const settings = { unix_socket_directories: await chooseSocketFolder(folder, cluster), ...options.settings };
  const libraries = await linkLibraries(located, join(folder, 'postgres-libraries'));
  const runAs = await chooseRunAs({ clusterDir: cluster, libraries });
  const binaries = await shareBinaries(located, runAs);
  await settleEarlierServer(cluster, observe);
  const password = await ensureCluster({ folder, binaries, runAs, settings, observe });
  return { folder, binaries, runAs, settings, observe, password, stopping };
}
