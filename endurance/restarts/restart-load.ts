// Clients that change and read objects through a load balancer without pause, each over a connection of its own.
// Everything but the expected response is a finding.

import { Client } from 'undici';
import type { Finding } from '../finding.ts';

export interface RestartLoadPlan {
  url: string;
  connections: number;
  token: string;
}

const findingsKept = 100;

export class RestartLoad {
  readonly findings: Finding[] = [];
  /** Of changes that were accepted: the key of the vessel and its new name. */
  readonly accepted = new Set<string>();
  requests = 0;
  readonly #plan: RestartLoadPlan;
  readonly #startedAt = performance.now();
  #isStopping = false;
  #working: Promise<unknown> = Promise.resolve();

  constructor(plan: RestartLoadPlan) {
    this.#plan = plan;
  }

  start(): void {
    this.#working = Promise.all(Array.from({ length: this.#plan.connections }, (_, index) => this.#work(index)));
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#working;
  }

  async #work(index: number): Promise<void> {
    const connection = new Client(this.#plan.url);
    const created = await this.#ask(connection, 'POST', '/ws/rest/Vessel', { vesselName: `Vessel ${index}` }, 201);
    for (let count = 1; created !== undefined && !this.#isStopping; count += 1) {
      const path = `/ws/rest/Vessel/${created.key}`;
      const vesselName = `Vessel ${index}, ${count}`;
      if (await this.#ask(connection, 'PUT', path, { vesselName }, 200)) {
        this.accepted.add(`${created.key} ${vesselName}`);
        const read = await this.#ask(connection, 'GET', path, undefined, 200);
        if (read && read.vesselName !== vesselName)
          this.#find('wrong answer', `${path} has the name ${read.vesselName}, not ${vesselName}`);
      }
    }
    await connection.close();
  }

  async #ask(connection: Client, method: 'POST' | 'PUT' | 'GET', path: string, body: unknown, expected: number) {
    const headers = { authorization: `Bearer ${this.#plan.token}`, 'content-type': 'application/json' };
    this.requests += 1;
    try {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await connection.request({ path, method, headers, ...sent });
      const text = await answer.body.text();
      if (answer.statusCode === expected) return JSON.parse(text) as { key: number; vesselName: string };
      this.#find('request failed', `${answer.statusCode} for ${method} ${path}: ${text}`);
    } catch (error) {
      this.#find('request failed', `${method} ${path}: ${error}`);
    }
    return undefined;
  }

  #find(kind: Finding['kind'], text: string): void {
    const seconds = ((performance.now() - this.#startedAt) / 1000).toFixed(1);
    if (this.findings.length < findingsKept) this.findings.push({ kind, text: `${seconds} s: ${text}` });
  }
}
