// The foreign programs that read the files of `deploy/`: those of this machine, or installed with Go in exact versions.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { goEnvironment } from '../tools/install-tools.ts';
import { fetchWithTool } from '../tools/run-tool.ts';
import { installOnce } from '../tools/tool-cache.ts';

const goPackages = {
  helm: 'helm.sh/helm/v3/cmd/helm@v3.22.0',
  /** Has the schemas of Kubernetes in itself, so that nothing else is fetched. */
  'kubectl-validate': 'sigs.k8s.io/kubectl-validate@v0.0.4',
  caddy: 'github.com/caddyserver/caddy/v2/cmd/caddy@v2.11.9',
};

export type GoTool = keyof typeof goPackages;

/** The path of the program. Compiling it takes minutes, once. */
export async function goTool(name: GoTool): Promise<string> {
  const address = goPackages[name];
  const folder = await installOnce(`go-${name}-${address.split('@v')[1]}`, (target) =>
    fetchWithTool('go', ['install', address], { env: { ...goEnvironment, GOBIN: target }, timeoutMs: 45 * 60_000 }),
  );
  return join(folder, name);
}

/** Whether this machine has a program, by a call that does nothing. */
export function isInstalled(program: string, ...args: string[]): boolean {
  return spawnSync(program, args).status === 0;
}
