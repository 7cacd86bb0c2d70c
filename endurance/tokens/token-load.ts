// Clients that call a resource without pause on several processes, each with a token that it renews continuously:
// issued by one process, used on the next. Everything but 200 is a finding.

import { Client } from 'undici';
import type { Finding } from '../finding.ts';

export interface TokenLoadPlan {
  /** Of the processes. */
  origins: readonly string[];
  connections: number;
  renewEveryMs: number;
  /** The body of a token request. */
  tokenRequest: string;
  path: string;
}

/** The results of one process. */
export interface ProcessTally {
  origin: string;
  requests: number;
  tokensIssued: number;
}

const findingsKept = 100;

export class TokenLoad {
  readonly tallies: readonly ProcessTally[];
  readonly findings: Finding[] = [];
  /** Key → number of tokens signed with it, in order of first use. */
  readonly tokensByKey = new Map<string, number>();
  readonly #plan: TokenLoadPlan;
  readonly #startedAt = performance.now();
  #isStopping = false;
  #working: Promise<unknown> = Promise.resolve();

  constructor(plan: TokenLoadPlan) {
    this.#plan = plan;
    this.tallies = plan.origins.map((origin) => ({ origin, requests: 0, tokensIssued: 0 }));
  }

  start(): void {
    this.#working = Promise.all(Array.from({ length: this.#plan.connections }, (_, index) => this.#work(index)));
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#working;
  }

  get requests(): number {
    return this.tallies.reduce((sum, { requests }) => sum + requests, 0);
  }

  async #work(index: number): Promise<void> {
    const { tallies } = this;
    const using = tallies[index % tallies.length]!;
    const issuing = tallies[(index + 1) % tallies.length]!;
    const connections = { using: new Client(using.origin), issuing: new Client(issuing.origin) };
    let token: string | undefined;
    let renewAt = 0;
    while (!this.#isStopping) {
      if (token === undefined || performance.now() >= renewAt) {
        token = await this.#renew(connections.issuing, issuing);
        renewAt = performance.now() + this.#plan.renewEveryMs;
      }
      if (token !== undefined) await this.#call(connections.using, using, token);
    }
    await connections.using.close();
    await connections.issuing.close();
  }

  async #renew(connection: Client, tally: ProcessTally): Promise<string | undefined> {
    const headers = { 'content-type': 'application/json' };
    const { tokenRequest: body } = this.#plan;
    const answer = await connection.request({ path: '/oauth/token', method: 'POST', headers, body });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) {
      this.#find(`${answer.statusCode} for a token at ${tally.origin}: ${text}`);
      return undefined;
    }
    const { access_token: token } = JSON.parse(text) as { access_token: string };
    tally.tokensIssued += 1;
    this.tokensByKey.set(keyOf(token), (this.tokensByKey.get(keyOf(token)) ?? 0) + 1);
    return token;
  }

  async #call(connection: Client, tally: ProcessTally, token: string): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await connection.request({ path: this.#plan.path, method: 'GET', headers });
    tally.requests += 1;
    if (answer.statusCode === 200) await answer.body.dump();
    else this.#find(`${answer.statusCode} at ${tally.origin}, key ${keyOf(token)}: ${await answer.body.text()}`);
  }

  #find(text: string): void {
    const seconds = ((performance.now() - this.#startedAt) / 1000).toFixed(1);
    if (this.findings.length < findingsKept)
      this.findings.push({ kind: 'token refused', text: `${seconds} s: ${text}` });
  }
}

function keyOf(token: string): string {
  const header = Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString();
  return (JSON.parse(header) as { kid: string }).kid;
}
