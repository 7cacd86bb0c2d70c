// The life of a subscription whose receiver fails, in real time and with the default settings: five attempts, one per
// minute, then it is deactivated and its user gets an alert.

import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@flaghoist/embedded-postgres';
import { request } from 'undici';
import { authorize, clientSettings } from '../../bench/harness/service-client.ts';
import { awaitReady, startServiceProcess } from '../../bench/harness/service-process.ts';
import type { Finding } from '../finding.ts';

export interface Moment {
  /** Since the change. */
  seconds: number;
  what: string;
}

export interface LifeCycleResult {
  timeline: Moment[];
  /** The alert as it was saved. */
  mail: string;
  findings: Finding[];
}

const attempts = 5;
const intervalSeconds = 60;
const toleranceSeconds = 2;
const alertAddress = 'desk@agent.example';

export async function runLifeCycle(tell: (line: string) => void): Promise<LifeCycleResult> {
  const folder = await mkdtemp(join(tmpdir(), 'flaghoist-life-cycle-'));
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const program = startServiceProcess({ port, settings: { FLAGHOIST_DATA_DIR: folder, ...clientSettings } });
  try {
    if (!(await awaitReady(program, origin))) throw new Error(`The service does not start:\n${program.output}`);
    return await watch(origin, folder, tell);
  } finally {
    await program.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function watch(origin: string, folder: string, tell: (line: string) => void): Promise<LifeCycleResult> {
  const timeline: Moment[] = [];
  let changedAt = performance.now();
  const note = (what: string) => {
    timeline.push({ seconds: (performance.now() - changedAt) / 1000, what });
    tell(what);
  };
  const receiver = createServer((received, response) => {
    received.resume().on('end', () => {
      note(`attempt ${timeline.filter(({ what }) => what.startsWith('attempt')).length + 1}`);
      response.writeHead(500).end('out of order');
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const call = await callerOf(origin);
  const [user] = (await call('GET', 'ApiUser')) as { key: number }[];
  await call('PUT', `ApiUser/${user!.key}`, { email: alertAddress });
  const { key } = (await call('POST', 'WebhookSubscription', { eventType: 'Voyage.C', url })) as { key: number };
  changedAt = performance.now();
  await call('POST', 'Voyage', { voyageStatus: 'EST' });
  const state = async () => ((await call('GET', `WebhookSubscription/${key}`)) as { state: string }).state;
  await until(async () => (await state()) === 'DEACTIVATED', attempts * intervalSeconds + 30);
  note('deactivated');
  const mails = async () => readMails(join(folder, 'mail'));
  await until(async () => (await mails()).length > 0, 10);
  note(`alert to ${alertAddress}`);
  await sleep(3_000);
  receiver.close();
  return { timeline, mail: (await mails())[0] ?? '', findings: judge(timeline, await mails()) };
}

type Call = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => Promise<unknown>;

async function callerOf(origin: string): Promise<Call> {
  const headers = { 'content-type': 'application/json', ...(await authorize(origin)) };
  return async (method, path, body) => {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await request(`${origin}/ws/rest/${path}`, { method, headers, ...content });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    return JSON.parse(text);
  };
}

async function readMails(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return await Promise.all(
    names.filter((name) => name.endsWith('.eml')).map((name) => readFile(join(folder, name), 'utf8')),
  );
}

async function until(isSo: () => Promise<boolean>, seconds: number): Promise<void> {
  const endsAt = performance.now() + seconds * 1000;
  while (!(await isSo())) {
    if (performance.now() > endsAt) throw new Error(`It has not happened within ${seconds} s.`);
    await sleep(200);
  }
}

/** Five attempts, one per minute; then deactivated at once, with one alert. */
function judge(timeline: readonly Moment[], mails: readonly string[]): Finding[] {
  const tried = timeline.filter(({ what }) => what.startsWith('attempt')).map(({ seconds }) => seconds);
  const expected = Array.from({ length: attempts }, (_, index) => index * intervalSeconds);
  const findings: Finding[] = [];
  const find = (text: string) => findings.push({ kind: 'wrong attempts', text });
  if (tried.length !== attempts) find(`${tried.length} attempts`);
  for (const [index, seconds] of tried.entries())
    if (Math.abs(seconds - (expected[index] ?? 0)) > toleranceSeconds + index)
      find(`attempt ${index + 1} after ${seconds.toFixed(1)} s`);
  const end = timeline.find(({ what }) => what === 'deactivated')?.seconds ?? 0;
  if (Math.abs(end - (tried.at(-1) ?? 0)) > toleranceSeconds) find(`deactivated after ${end.toFixed(1)} s`);
  if (mails.filter((mail) => mail.includes(alertAddress)).length !== 1) find(`${mails.length} mails`);
  return findings;
}
