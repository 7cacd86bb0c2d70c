// The programs that read the other files of `deploy/` accept them. Those of Debian are used if they are installed.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { runTool } from '../tools/run-tool.ts';
import { skip } from '../tools/with-tools.ts';
import { deployFolder, readDeployed } from './deploy-files.ts';
import { goTool, isInstalled, withGoTools } from './deploy-tools.ts';

function needs(context: TestContext, program: string, ...args: string[]): void {
  if (isInstalled(program, ...args)) return;
  skip(context, `needs ${program}`);
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'flaghoist-deploy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('nginx accepts its configuration', { timeout: 60_000 }, async (context) => {
  needs(context, 'nginx', '-v');
  const folder = newFolder();
  const [key, certificate] = [join(folder, 'flaghoist.key'), join(folder, 'flaghoist.crt')];
  const subject = ['-subj', '/CN=flaghoist.example.com', '-newkey', 'rsa:2048', '-nodes'];
  execFileSync('openssl', ['req', '-x509', ...subject, '-keyout', key, '-out', certificate], { stdio: 'pipe' });
  const site = readDeployed('nginx/flaghoist.conf').replaceAll('/etc/nginx/tls', folder);
  writeFileSync(join(folder, 'flaghoist.conf'), site);
  const main = `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp { include ${folder}/flaghoist.conf; }\n`;
  writeFileSync(join(folder, 'nginx.conf'), main);
  await runTool('nginx', ['-t', '-p', folder, '-c', 'nginx.conf']);
});

test('promtool accepts the rules and the configuration', { timeout: 60_000 }, async (context) => {
  needs(context, 'promtool', '--version');
  const folder = join(deployFolder, 'prometheus');
  expect(await runTool('promtool', ['check', 'rules', join(folder, 'alerts.yaml')])).toContain('SUCCESS');
  expect(await runTool('promtool', ['check', 'config', join(folder, 'prometheus.yaml')])).toContain('SUCCESS');
});

/** Compiling it takes minutes, so that of the machine is used if there is one. */
test('Caddy accepts its configuration', { timeout: 60 * 60_000 }, async (context) => {
  const check = async (caddy: string) => {
    const args = ['validate', '--adapter', 'caddyfile', '--config', join(deployFolder, 'caddy/Caddyfile')];
    await runTool(caddy, args, { env: { HOME: newFolder(), XDG_DATA_HOME: newFolder() } });
  };
  if (isInstalled('caddy', 'version')) await check('caddy');
  else await withGoTools(context, ['caddy'], async () => check(await goTool('caddy')));
});

test('systemd accepts the unit', { timeout: 60_000 }, async (context) => {
  needs(context, 'systemd-analyze', '--version');
  const unit = join(newFolder(), 'flaghoist.service');
  // It looks for the program, which is not installed here.
  writeFileSync(unit, readDeployed('systemd/flaghoist.service').replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'));
  await runTool('systemd-analyze', ['verify', '--man=no', unit]);
  // The exposure, in tenths. systemd calls 1.0 to 2.0 "OK", and a unit without any protection 9.6.
  await runTool('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit]);
});
