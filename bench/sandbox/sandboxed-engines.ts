// A separate program that runs scripts and stylesheets as the service does: in one thread of a sandbox, one batch after
// the other.

import { openScriptSandbox } from '@flaghoist/script-sandbox';
import { openStylesheets } from '@flaghoist/stylesheets';
import { type Call, type EnginePlan, type EngineRequest, parameters, runFor, textOf, user } from './engine-work.ts';

const scripts = openScriptSandbox({ threads: 1 });
const stylesheets = openStylesheets({ threads: 1 });
let plan: EnginePlan;

process.on('message', async (request: EnginePlan | EngineRequest) => {
  if (request.kind === 'measure') {
    process.send!(await runFor(plan, request, request.work === 'stylesheet' ? transform : judge));
    return;
  }
  plan = request;
  process.send!({});
});
process.on('disconnect', () => process.exit());

const nowMs = Date.UTC(2026, 5, 1);

async function judge(batch: Call[]): Promise<string[]> {
  const calls = batch.map(({ script, change: { id, svcObject, oldSvcObject } }) => ({
    version: String(script),
    body: plan.scripts[script]!,
    svcObject,
    oldSvcObject,
    user,
    parameters,
    nowMs,
    seed: id,
  }));
  const results = await untilNoneIsLeftOut(calls, (some) => scripts.run(some));
  return results.map((result) => {
    if (result.kind !== 'answered') throw new Error(JSON.stringify(result));
    return textOf(result.message && { subject: result.message.subject, body: result.message.body?.text });
  });
}

async function transform(batch: Call[]): Promise<string[]> {
  const { stylesheet } = plan;
  const transforms = batch.map(({ change: { xml } }) => ({ version: 'one', stylesheet, xml }));
  const results = await untilNoneIsLeftOut(transforms, (some) => stylesheets.transform(some));
  return results.map((result) => {
    if (result.kind !== 'made') throw new Error(JSON.stringify(result));
    return result.body;
  });
}

/** As in the loop of the service: calls of a lane that has used up its time move to the next batch. */
async function untilNoneIsLeftOut<Item, Result extends { kind: string }>(
  items: readonly Item[],
  work: (some: readonly Item[]) => Promise<Result[]>,
): Promise<Result[]> {
  const results = await work(items);
  for (let left = leftIn(results); left.length > 0; left = leftIn(results)) {
    const again = await work(left.map((place) => items[place]!));
    for (const [n, place] of left.entries()) results[place] = again[n]!;
  }
  return results;
}

function leftIn(results: readonly { kind: string }[]): number[] {
  return results.flatMap(({ kind }, place) => (kind === 'skipped' ? [place] : []));
}
