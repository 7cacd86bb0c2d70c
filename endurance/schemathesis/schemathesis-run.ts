// schemathesis calls a service with requests made from its API description: valid and invalid ones, and sequences of
// them. The service reaches nothing outside of the machine, whatever addresses it is given.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@flaghoist/embedded-postgres';
import { request } from 'undici';
import { type MachineFacts, readMachineFacts } from '../../bench/harness/machine-facts.ts';
import { authorize, clientId, clientSettings } from '../../bench/harness/service-client.ts';
import { awaitReady, startServiceProcess } from '../../bench/harness/service-process.ts';
import { pythonTools, pythonVersion } from '../../test/tools/install-tools.ts';
import { runTool } from '../../test/tools/run-tool.ts';
import { missingToolchains } from '../../test/tools/toolchains.ts';
import type { Finding } from '../finding.ts';
import { exceptionOf } from './known-exceptions.ts';
import { type Failure, readFailures } from './read-failures.ts';

const version = pythonVersion('schemathesis', 'schemathesis');

export interface SchemathesisPlan {
  /** Random requests per operation and phase, at most. The phase `coverage` makes as many as it needs. */
  examples: number;
  /** A regular expression of paths; all without it. */
  paths?: string | undefined;
  seed: number;
  tell: (line: string) => void;
}

export interface SchemathesisResult {
  plan: SchemathesisPlan;
  version: string;
  casesByPhase: ReadonlyMap<string, number>;
  /** Name of the exception → how often. */
  exceptions: ReadonlyMap<string, number>;
  elapsedSeconds: number;
  findings: Finding[];
  facts: MachineFacts;
}

export async function runSchemathesis(plan: SchemathesisPlan): Promise<SchemathesisResult> {
  const missing = missingToolchains(['python']);
  if (missing !== undefined) throw new Error(`schemathesis ${missing}.`);
  const facts = readMachineFacts('embedded');
  const folder = await mkdtemp(join(tmpdir(), 'flaghoist-endurance-'));
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const program = startServiceProcess({ port, settings: { ...(await closedSettings()), FLAGHOIST_DATA_DIR: folder } });
  try {
    if (!(await awaitReady(program, origin))) throw new Error(`The service does not start:\n${program.output}`);
    const startedAt = performance.now();
    const events = join(folder, 'events.ndjson');
    const headers = await authorize(origin);
    await callService(plan, { origin, folder, events, headers });
    const { casesByPhase, failures } = await readFailures(events);
    const { exceptions, findings } = judge(failures);
    if (program.hasExited) findings.push({ kind: 'service ended', text: program.output });
    else findings.push(...(await judgeAccess(origin, headers)));
    const elapsedSeconds = (performance.now() - startedAt) / 1000;
    return { plan, version, casesByPhase, exceptions, elapsedSeconds, findings, facts };
  } finally {
    await program.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Nothing listens at the proxy and the DNS server, and every receiver, token endpoint and name is reached by them. */
async function closedSettings(): Promise<Record<string, string>> {
  const closed = `127.0.0.1:${await findFreePort()}`;
  return {
    ...clientSettings,
    FLAGHOIST_TOKEN_REQUESTS_PER_MINUTE: '0',
    FLAGHOIST_EGRESS_PROXY: `http://${closed}`,
    FLAGHOIST_DNS_SERVERS: closed,
  };
}

interface Place {
  origin: string;
  folder: string;
  events: string;
  headers: { authorization: string };
}

async function callService(plan: SchemathesisPlan, { origin, folder, events, headers }: Place): Promise<void> {
  const { examples, paths, seed, tell } = plan;
  const bin = await pythonTools('schemathesis');
  const configuration = join(folder, 'schemathesis.toml');
  await writeFile(configuration, await renderConfiguration(origin, headers));
  const options = {
    checks: 'all',
    phases: 'examples,coverage,fuzzing,stateful',
    'max-examples': String(examples),
    seed: String(seed),
    report: 'ndjson',
    'report-ndjson-path': events,
    ...(paths !== undefined && { 'include-path-regex': paths }),
  };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  tell(`schemathesis ${version} calls ${origin}`);
  const args = ['--config-file', configuration, '--no-color', 'run', `${origin}/openapi.json`, ...flags];
  // It exits with 1 if it has found something, which is judged here.
  await runTool(join(bin, 'schemathesis'), [...args, '--no-shrink', '--continue-on-failure'], {
    cwd: folder,
    timeoutMs: runTimeoutMs,
  }).catch((error: Error) => tell(error.message.split('\n').slice(-30).join('\n')));
}

const runTimeoutMs = 3 * 3_600_000;

/**
 * Its client and user would otherwise be deleted or disabled by the first request that names them, and everything after
 * that be a 401. The header is fixed because coverage sends `0` for any pattern that needs a dot.
 */
async function renderConfiguration(origin: string, headers: { authorization: string }): Promise<string> {
  const sacrifice = await createSacrifice(origin, headers);
  const operations = Object.entries(sacrifice).flatMap(([type, key]) => {
    const names = [`PUT /ws/rest/${type}/{key}`, `DELETE /ws/rest/${type}/{key}`];
    if (type === 'ApiClient') names.push(`POST /ws/rest/${type}/{key}/rotateSecret`);
    return names.map((name) => `[[operations]]\ninclude-name = "${name}"\nparameters = { "path.key" = ${key} }\n`);
  });
  const { info } = (await getJson(`${origin}/openapi.json`)) as { info: { 'x-api-version': string } };
  return [
    `headers = { Authorization = "${headers.authorization}" }\n`,
    `[parameters]\n"header.API-Version" = "${info['x-api-version']}"\n`,
    ...operations,
  ].join('\n');
}

async function createSacrifice(origin: string, headers: { authorization: string }) {
  const user = await postJson(`${origin}/ws/rest/ApiUser`, headers, { userCode: 'sacrifice', name: 'Sacrifice' });
  const client = await postJson(`${origin}/ws/rest/ApiClient`, headers, { user: user.key, scopes: ['read'] });
  return { ApiUser: user.key, ApiClient: client.key };
}

async function postJson(url: string, headers: Record<string, string>, body: unknown): Promise<{ key: number }> {
  const answer = await request(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.statusCode !== 201) throw new Error(`POST ${url}: ${answer.statusCode} ${await answer.body.text()}`);
  return (await answer.body.json()) as { key: number };
}

async function getJson(url: string): Promise<unknown> {
  return (await request(url)).body.json();
}

function judge(
  failures: readonly Failure[],
): Pick<SchemathesisResult, 'findings'> & { exceptions: Map<string, number> } {
  const exceptions = new Map<string, number>();
  const others = new Map<string, Failure[]>();
  for (const failure of failures) {
    const name = exceptionOf(failure);
    if (name !== undefined) exceptions.set(name, (exceptions.get(name) ?? 0) + 1);
    else {
      // The same but for names and numbers.
      const likeness = `${failure.check} ${failure.status} ${failure.message.replaceAll(/"[^"]*"|\d+/g, '…')}`;
      others.set(likeness, [...(others.get(likeness) ?? []), failure]);
    }
  }
  return { exceptions, findings: [...others.values()].map(describeAlike) };
}

function describeAlike(failures: Failure[]): Finding {
  const { phase, check, status, message, request: sent } = failures[0]!;
  const text = `${failures.length} × ${check}, first in ${phase}: ${status} ${message} | ${sent}`;
  return { kind: 'not as described', text };
}

/** A run whose client was locked out has tested nothing since. */
async function judgeAccess(origin: string, headers: Record<string, string>): Promise<Finding[]> {
  const { statusCode } = await request(`${origin}/ws/rest/Currency?limit=1`, { headers });
  return statusCode === 200 ? [] : [{ kind: 'wrong answer', text: `${clientId} was locked out: ${statusCode}` }];
}
