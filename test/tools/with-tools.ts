// Runs the part of a test that needs foreign tools. If a toolchain is missing, or a package registry does not answer,
// the test is skipped, and a line of the output says why.

import type { TestContext } from 'vitest';
import { RegistryUnreachable } from './run-tool.ts';
import { missingToolchains, type ToolchainName } from './toolchains.ts';

export async function withTools<T>(
  context: TestContext,
  toolchains: readonly ToolchainName[],
  use: () => Promise<T>,
): Promise<T> {
  const missing = missingToolchains(toolchains);
  if (missing !== undefined) return skip(context, missing);
  return use().catch((error: Error) => {
    if (error instanceof RegistryUnreachable) return skip(context, `no package registry answers: ${error.message}`);
    throw error;
  });
}

/** With a line in the output that says why. */
export function skip(context: TestContext, reason: string): never {
  process.stdout.write(`SKIPPED: ${context.task.name}: ${reason}\n`);
  context.skip(reason);
}
