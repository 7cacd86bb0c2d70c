// A separate program that does the same work with the engines alone, as their packages load them: one thread,
// everything compiled once, no limits, no isolation of calls.

import { readFileSync } from 'node:fs';
import type { XsltStylesheet } from 'libxslt-wasm';
import { type JSValueHandle, QuickJS } from 'quickjs-wasi';
import {
  type Call,
  type Change,
  type EnginePlan,
  type EngineRequest,
  parameters,
  runFor,
  textOf,
  user,
  type WorkName,
} from './engine-work.ts';

// The loader of libxslt-wasm needs functions that Node 20 lacks, but only to fetch documents. None is fetched here.
Object.assign((globalThis as unknown as { WebAssembly: object }).WebAssembly, {
  Suspending: function Suspending(plain: unknown) {
    return plain;
  },
  promising: (plain: unknown) => plain,
});
const libxslt = await import('libxslt-wasm');
const vm = await QuickJS.create({ wasm: readFileSync(new URL(import.meta.resolve('quickjs-wasi/quickjs.wasm'))) });

const parseJson = vm.evalCode('JSON.parse');

let plan: EnginePlan;
let scripts: Record<'callParsing' | 'call', JSValueHandle>[];
let stylesheet: XsltStylesheet;

process.on('message', async (request: EnginePlan | EngineRequest) => {
  if (request.kind === 'measure') {
    process.send!(await runFor(plan, request, works[request.work]));
    return;
  }
  plan = request;
  scripts = plan.scripts.map((body) => ({
    callParsing: vm.evalCode(`(${callerParsing})(${functionOf(body)})`),
    call: vm.evalCode(`(${caller})(${functionOf(body)})`),
  }));
  stylesheet = await libxslt.XsltStylesheet.fromString(plan.stylesheet);
  process.send!({});
});
const works: Record<WorkName, (batch: Call[]) => Promise<string[]>> = {
  'one script': judge,
  'hundred scripts': judge,
  'hundred scripts, parsed once': judgeParsingOnce,
  stylesheet: transform,
};
process.on('disconnect', () => process.exit());

function functionOf(body: string): string {
  return `function (svcObject, oldSvcObject, user, parameters, message) { 'use strict'; ${body}\n}`;
}

/** Returns the message as JSON, or undefined. */
const caller = `(script) => (...inputs) => {
  const message = {};
  return script(...inputs, message) ? JSON.stringify(message) : '';
}`;

const callerParsing = `(script) => (${caller})((svcObject, oldSvcObject, user, parameters, message) =>
  script(JSON.parse(svcObject), JSON.parse(oldSvcObject), JSON.parse(user), JSON.parse(parameters), message))`;

async function judge(batch: Call[]): Promise<string[]> {
  return batch.map(({ script, change }) => {
    const inputs = textsOf(change).map((text) => vm.newString(text));
    const answer = call(scripts[script]!.callParsing, inputs);
    for (const input of inputs) input.dispose();
    return answer;
  });
}

async function judgeParsingOnce(batch: Call[]): Promise<string[]> {
  let seen: { change: Change; inputs: JSValueHandle[] } | undefined;
  const forget = () => seen?.inputs.forEach((input) => void input.dispose());
  const answers = batch.map(({ script, change }) => {
    if (seen?.change !== change) {
      forget();
      seen = { change, inputs: textsOf(change).map(parse) };
    }
    return call(scripts[script]!.call, seen.inputs);
  });
  forget();
  return answers;
}

function textsOf({ svcObject, oldSvcObject }: Change): string[] {
  return [svcObject, oldSvcObject, user, parameters];
}

function parse(text: string): JSValueHandle {
  return vm.newString(text).consume((json) => vm.callFunction(parseJson, vm.undefined, json));
}

function call(script: JSValueHandle, inputs: readonly JSValueHandle[]): string {
  const text = vm.callFunction(script, vm.undefined, ...inputs).consume((answer) => answer.toString());
  if (text === '') return textOf(undefined);
  const { subject, body } = JSON.parse(text) as { subject: string; body: object };
  return textOf({ subject, body: JSON.stringify(body) });
}

async function transform(batch: Call[]): Promise<string[]> {
  const bodies: string[] = [];
  for (const { change } of batch) {
    const document = await libxslt.XmlDocument.fromString(change.xml);
    const result = await stylesheet.apply(document);
    bodies.push(stylesheet.applyToString(result));
    result.delete();
    document.delete();
  }
  return bodies;
}
