// A script sandbox for a test file, and calls with defaults for what most tests do not need.

import { afterAll } from 'vitest';
import { openScriptSandbox, type ScriptCall, type ScriptResult, type ScriptSandbox } from '../src/script-sandbox.ts';

/** Its results are the same each time. */
export type UntimedSandbox = Omit<ScriptSandbox, 'run'> & {
  run(calls: readonly ScriptCall[]): Promise<ScriptResult[]>;
};

/** One thread: what one call leaves behind, the next one would find. */
export function sandboxForTests(): UntimedSandbox {
  const sandbox = openScriptSandbox({ threads: 1 });
  afterAll(() => sandbox.close());
  return {
    ...sandbox,
    get freeThreads() {
      return sandbox.freeThreads;
    },
    run: async (calls) => (await sandbox.run(calls)).map(({ tookMs, ...result }) => result),
  };
}

export function callOf(body: string, rest: Partial<ScriptCall> = {}): ScriptCall {
  return {
    version: body,
    body,
    svcObject: '{"name":"Aurora","speed":12.5,"ports":[{"code":"NLRTM"},{"code":"SGSIN"}]}',
    oldSvcObject: '{"name":"Aurora","speed":11}',
    user: '{"login":"ada"}',
    parameters: '{"limit":10}',
    nowMs: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
    seed: 'seed',
    ...rest,
  };
}

export async function runOne(
  sandbox: UntimedSandbox,
  body: string,
  rest: Partial<ScriptCall> = {},
): Promise<ScriptResult> {
  const [result] = await sandbox.run([callOf(body, rest)]);
  return result!;
}

/** What an expression is inside a script, as JSON: it is put into the message. */
export async function valueIn(sandbox: UntimedSandbox, expression: string): Promise<unknown> {
  const result = await runOne(sandbox, `message.body = [${expression}];`);
  if (result.kind !== 'answered' || !result.message?.body) throw new Error(JSON.stringify(result));
  return (JSON.parse(result.message.body.text) as unknown[])[0];
}

export function answered(isTrue: boolean): ScriptResult {
  return { kind: 'answered', isTrue, message: undefined, log: [] };
}
