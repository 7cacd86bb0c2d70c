// One PostgreSQL server for the whole test run, with a migrated template that each test file clones. The server is our
// own embedded one, or the one that DATABASE_URL names (CI runs both).

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../../src/database/embedded-server.ts';
import { migrate } from '../../src/database/migrate.ts';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import { startNameServer } from '../channels/name-server.ts';
import { tellSearched } from './tell-searched.ts';

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string;
    templateName: string;
    /** Where each test service says how much of it was searched for secrets. */
    searchedFile: string;
    /** A name server that knows no name: no test asks those of the machine. */
    dnsServer: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await openServer();
  const templateName = `flaghoist_template_${process.pid}`;
  try {
    await withClient(url, (client) => client.query(`create database ${templateName}`));
    await withClient(databaseUrl(url, templateName), (client) => migrate(client, buildModel(catalogue)));
  } catch (error) {
    await stop();
    throw error;
  }
  const names = await startNameServer(() => 'NXDOMAIN');
  project.provide('dnsServer', names.address);
  project.provide('serverUrl', url);
  project.provide('templateName', templateName);
  const searchedFile = join(tmpdir(), `flaghoist-searched-${process.pid}`);
  project.provide('searchedFile', searchedFile);
  return async () => {
    await tellSearched(searchedFile);
    names.stop();
    await withClient(url, (client) => client.query(`drop database ${templateName} with (force)`));
    await stop();
  };
}

async function openServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  if (process.env.DATABASE_URL) return { url: process.env.DATABASE_URL, stop: async () => undefined };
  const dataDir = await mkdtemp(join(tmpdir(), 'flaghoist-test-'));
  // Speed only: no test of this server depends on what survives a power cut.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  const server = await startEmbedded({ dataDir, observe: () => undefined, settings });
  await withClient(server.url, quickenSignIn);
  const stop = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url: server.url, stop };
}

/** The same password with one round of hashing: with the default of 4,096, a client works 4 ms on each connection. */
async function quickenSignIn(client: pg.Client): Promise<void> {
  await client.query('set scram_iterations = 1');
  await client.query(`alter role current_user password ${pg.escapeLiteral(client.password!)}`);
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function databaseUrl(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
