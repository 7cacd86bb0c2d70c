// A thread of the script sandbox. It runs and checks scripts in its own engine, and replaces an engine that is in doubt
// or too large.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { given, serveItems } from '@flaghoist/thread-pool';
import { checkScript } from './check-script.ts';
import { describeFailure } from './describe-failure.ts';
import {
  type CallItem,
  cannotBeCompiled,
  type ScriptAnswer,
  type ScriptItem,
  type ScriptResult,
  tookTooLong,
} from './script-item.ts';
import { placeInStack } from './script-source.ts';
import { ScriptVm, type VmOutcome } from './script-vm.ts';
import { usedParameters } from './used-parameters.ts';
import { drawVmImage } from './vm-image.ts';

const image = await drawVmImage(given() as object);
let vm: ScriptVm | undefined = await ScriptVm.open(image);
let isLargeOneLeft = false;

setFlagsFromString('--expose-gc');
/**
 * V8 decides by the heap of the thread, which is small, and may keep the 40 MB of a discarded engine for a long time.
 */
const collectGarbage = runInNewContext('gc') as () => void;

async function work(item: ScriptItem): Promise<ScriptAnswer> {
  vm ??= await openFresh();
  const answer = 'script' in item ? run(vm, item) : check(vm, item.toCheck);
  if (vm.isSpent) {
    isLargeOneLeft = vm.isLarge;
    vm.dispose();
    vm = undefined;
  }
  return answer;
}

serveItems(work, (answer) => answer.kind === 'failed' && answer.isOverTime);

function openFresh(): Promise<ScriptVm> {
  if (isLargeOneLeft) collectGarbage();
  isLargeOneLeft = false;
  return ScriptVm.open(image);
}

function run(open: ScriptVm, { script, given, seed }: CallItem): ScriptResult {
  const { version, body } = script;
  const outcome = open.run({ version, body, inputs: given.texts, nowMs: given.nowMs, seed: hash(seed) });
  const result = resultOf(outcome, body);
  return result.kind === 'failed' && open.isSpent ? { ...result, isOverTime: true } : result;
}

function resultOf(outcome: VmOutcome, script: string): ScriptResult {
  const { log = [] } = outcome;
  if ('isOverTime' in outcome) return { kind: 'failed', message: tookTooLong, isOverTime: true, log };
  if (!('isTrue' in outcome))
    return { kind: 'failed', message: describeFailure(outcome, script), isOverTime: false, log };
  const { isTrue, subject, body } = outcome;
  if (body && Buffer.byteLength(body.text) > bodyBytesMax)
    return { kind: 'failed', message: 'message.body is longer than 1 MB.', isOverTime: false, log };
  if (subject !== undefined || body) return { kind: 'answered', isTrue, message: { subject, body }, log };
  if (log.length > 0) return { kind: 'answered', isTrue, message: undefined, log };
  return isTrue ? plainTrue : plainFalse;
}

function check(open: ScriptVm, body: string): ScriptAnswer {
  const mistake = checkScript(body);
  if (mistake) return { kind: 'mistaken', ...mistake };
  const failure = open.check(body);
  if (!failure) return { kind: 'fits', uses: usedParameters(body) };
  if (!('error' in failure)) return cannotBeCompiled;
  const place = placeInStack(failure.stack, body);
  return { kind: 'mistaken', message: failure.error, line: place?.line, column: place?.column };
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value | 0;
}

// Shared objects: the structured clone of a batch contains each of them once.
const plainTrue: ScriptResult = { kind: 'answered', isTrue: true, message: undefined, log: [] };
const plainFalse: ScriptResult = { kind: 'answered', isTrue: false, message: undefined, log: [] };
const bodyBytesMax = 1_000_000;
