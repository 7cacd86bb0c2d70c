// Sends small requests to the service, one at a time, and records how long each response takes.

import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { quantile } from '../../bench/harness/statistics.ts';
import type { Finding } from '../finding.ts';

export interface Probed {
  path: string;
  answers: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

const pauseMs = 20;

export class ApiProbe {
  readonly findings: Finding[] = [];
  readonly #origin: string;
  readonly #headers: Record<string, string>;
  readonly #latencies: ReadonlyMap<string, number[]>;
  readonly #done: Promise<void>;
  #isStopping = false;

  constructor(origin: string, paths: readonly string[], headers: Record<string, string>) {
    this.#origin = origin;
    this.#headers = headers;
    this.#latencies = new Map(paths.map((path) => [path, []]));
    this.#done = this.#askAll();
  }

  async stop(): Promise<Probed[]> {
    this.#isStopping = true;
    await this.#done;
    return [...this.#latencies].map(([path, latencies]) => probedOf(path, latencies));
  }

  async #askAll(): Promise<void> {
    while (!this.#isStopping) {
      for (const [path, latencies] of this.#latencies) {
        const startedAt = performance.now();
        const said = await this.#ask(path);
        if (said === undefined) latencies.push(performance.now() - startedAt);
        else this.findings.push({ kind: 'wrong answer', text: `GET ${path}: ${said}` });
      }
      await sleep(pauseMs);
    }
  }

  /** Undefined if all is well. */
  async #ask(path: string): Promise<string | undefined> {
    try {
      const { statusCode, body } = await request(`${this.#origin}${path}`, { headers: this.#headers });
      const text = await body.text();
      return statusCode === 200 ? undefined : `${statusCode} ${text}`;
    } catch (error) {
      return String(error);
    }
  }
}

function probedOf(path: string, latencies: readonly number[]): Probed {
  const sorted = Float64Array.from(latencies).sort();
  const at = (fraction: number) => quantile(sorted, fraction);
  return { path, answers: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}
