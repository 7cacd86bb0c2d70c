// The foreign programs that read the files of `deploy/`: those of this machine, or compiled with Go in exact versions.
// That takes ten minutes for each, once, so CI does without them unless they are in the cache of the tools.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { goEnvironment } from '../tools/install-tools.ts';
import { fetchWithTool } from '../tools/run-tool.ts';
import { installOnce, isInstalledOnce } from '../tools/tool-cache.ts';
import { skip, withTools } from '../tools/with-tools.ts';

const goPackages = {
  helm: 'helm.sh/helm/v3/cmd/helm@v3.22.0',
  /** Has the schemas of Kubernetes in itself, so that nothing else is fetched. */
  'kubectl-validate': 'sigs.k8s.io/kubectl-validate@v0.0.4',
  caddy: 'github.com/caddyserver/caddy/v2/cmd/caddy@v2.11.9',
};

export type GoTool = keyof typeof goPackages;

const folderName = (name: GoTool) => `go-${name}-${goPackages[name].split('@v')[1]}`;

/** Like `withTools`, for programs that `goTool` compiles. */
export function withGoTools<T>(context: TestContext, names: readonly GoTool[], use: () => Promise<T>): Promise<T> {
  const missing = names.filter((name) => !isInstalledOnce(folderName(name)));
  if (process.env.CI && missing.length > 0) skip(context, `compiling ${missing.join(' and ')} takes too long for CI.`);
  return withTools(context, ['go'], use);
}

/** The path of the program. */
export async function goTool(name: GoTool): Promise<string> {
  const address = goPackages[name];
  const folder = await installOnce(folderName(name), (target) =>
    fetchWithTool('go', ['install', address], { env: { ...goEnvironment, GOBIN: target }, timeoutMs: 45 * 60_000 }),
  );
  return join(folder, name);
}

/** Whether this machine has a program, by a call that does nothing. */
export function isInstalled(program: string, ...args: string[]): boolean {
  return spawnSync(program, args).status === 0;
}
