// Clients that change objects without pause, each over a connection of its own. Every change has a name of its own, so
// that it can be found later. A change without a response may have been made or not.

import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import type { Finding } from '../finding.ts';

export interface FailoverLoadPlan {
  origin: string;
  headers: { authorization: string };
  clients: number;
}

/** The key of the vessel, and its new name. */
type Change = string;

interface LoadClient {
  connection: Client;
  name: string;
  /** Of the vessel. */
  key: number;
}

const pauseAfterFailureMs = 20;
const findingsKept = 100;

export class FailoverLoad {
  readonly accepted = new Set<Change>();
  /** Those that were answered with 503, or not at all. */
  readonly unknown = new Set<Change>();
  readonly findings: Finding[] = [];
  /** When the newest of the changes began that were accepted. */
  acceptedFrom = 0;
  readonly #plan: FailoverLoadPlan;
  #isStopping = false;
  #working: Promise<unknown> = Promise.resolve();

  constructor(plan: FailoverLoadPlan) {
    this.#plan = plan;
  }

  /** The objects exist when this resolves. */
  async start(): Promise<void> {
    const clients = Array.from({ length: this.#plan.clients }, (_, index) => this.#open(index));
    const opened = await Promise.all(clients);
    this.#working = Promise.all(opened.map((client) => this.#work(client)));
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#working;
  }

  async #open(index: number): Promise<LoadClient> {
    const connection = new Client(this.#plan.origin, { headersTimeout: 60_000 });
    const name = `Ship ${index}`;
    const { status, text } = await this.#ask(connection, 'POST', '/ws/rest/Vessel', { vesselName: name });
    if (status !== 201) throw new Error(`${status}: ${text}`);
    return { connection, name, key: (JSON.parse(text) as { key: number }).key };
  }

  async #work({ connection, name, key }: LoadClient): Promise<void> {
    for (let count = 1; !this.#isStopping; count += 1) await this.#change(connection, key, `${name}, ${count}`);
    await connection.close();
  }

  async #change(connection: Client, key: number, vesselName: string): Promise<void> {
    const change = `${key} ${vesselName}`;
    const from = performance.now();
    const answer = await this.#ask(connection, 'PUT', `/ws/rest/Vessel/${key}`, { vesselName }).catch(() => undefined);
    if (answer?.status === 200) {
      this.accepted.add(change);
      this.acceptedFrom = Math.max(this.acceptedFrom, from);
      return;
    }
    this.unknown.add(change);
    if (answer && answer.status !== 503 && this.findings.length < findingsKept)
      this.findings.push({ kind: 'request failed', text: `${answer.status} for ${change}: ${answer.text}` });
    await sleep(pauseAfterFailureMs);
  }

  async #ask(connection: Client, method: 'POST' | 'PUT', path: string, body: object) {
    const headers = { ...this.#plan.headers, 'content-type': 'application/json' };
    const answer = await connection.request({ path, method, headers, body: JSON.stringify(body) });
    return { status: answer.statusCode, text: await answer.body.text() };
  }
}
