// One script engine with its realm: compiles scripts, calls them within their limits, and knows when it must be
// replaced. The host reads only primitive values from the engine.

import { LRUCache } from 'lru-cache';
import { type JSValueHandle, QuickJS } from 'quickjs-wasi';
import { countHolders, countHoldersAtMost } from './count-holders.ts';
import { EngineHost } from './engine-host.ts';
import { freezePlanOf } from './guest/freeze-plan.ts';
import type { Outcome } from './guest/outcome.ts';
import { runPendingJobs } from './pending-jobs.ts';
import { tookTooMuchMemory } from './script-item.ts';
import { canRead, sourceOf } from './script-source.ts';
import { engineOptions, type GuestName, guestNames, type VmImage } from './vm-image.ts';

export interface VmCall {
  readonly version: string;
  readonly body: string;
  /** JSON texts, in the order of `inputNames`. */
  readonly inputs: readonly { readonly text: string }[];
  readonly nowMs: number;
  readonly seed: number;
}

export type VmOutcome = Outcome | { isOverTime: true; log: string[] };

type ScriptError = Extract<Outcome, { error: string }>;

interface CompiledScript {
  readonly script: JSValueHandle;
  /** Which of the inputs the script can read. */
  readonly reads: readonly boolean[];
}

const inputNames = ['svcObject', 'oldSvcObject', 'user', 'parameters'];
const callTimeMs = 500;
const logTimeMs = 20;
/**
 * A call that runs more jobs than this counts as endless. With the time limit alone, the result of a growing promise
 * chain would depend on the machine. A fast machine runs out of memory first, and a promise swallows that error.
 */
const jobsMax = 10_000;
/** The memory of a VM never shrinks. A VM above this size is replaced, so that every call has at least the rest. */
const sparedBytesMax = 16 * 1024 * 1024;
const cachedScriptsMax = 500;
/** As many as there are kinds of objects that scripts get alternately. */
const plansMax = 50;
/** A compiled character takes up to about eight bytes. */
const cachedCharactersMax = 500_000;

export class ScriptVm {
  readonly #engine: QuickJS;
  readonly #host: EngineHost;
  readonly #guest: Record<GuestName, JSValueHandle>;
  readonly #compiled = new LRUCache<string, CompiledScript>({
    max: cachedScriptsMax,
    maxSize: cachedCharactersMax,
    dispose: ({ script }) => script.dispose(),
  });
  readonly #plans = new LRUCache<string, JSValueHandle>({ max: plansMax, dispose: (plan) => plan.dispose() });
  /** The last value of each input. Calls of one batch often have the same inputs. */
  readonly #inputs: ({ readonly text: string; readonly value: JSValueHandle } | undefined)[] = [];
  /** The plan that the last value of each input was frozen by. The next value often fits the same plan. */
  readonly #lastPlans: string[] = [];
  #isDoubtful = false;

  static async open(image: VmImage): Promise<ScriptVm> {
    const host = new EngineHost();
    return new ScriptVm(await QuickJS.restore(image.memory, engineOptions(image.module, host)), host, image.guest);
  }

  private constructor(engine: QuickJS, host: EngineHost, guest: VmImage['guest']) {
    this.#engine = engine;
    this.#host = host;
    const handles = guestNames.map((name) => [name, engine.importHandle(guest[name])]);
    this.#guest = Object.fromEntries(handles) as Record<GuestName, JSValueHandle>;
  }

  /** The VM must not be used again. */
  get isSpent(): boolean {
    return this.#isDoubtful || this.isLarge;
  }

  get isLarge(): boolean {
    return this.memoryBytes > sparedBytesMax;
  }

  get memoryBytes(): number {
    return this.#host.memoryBytes;
  }

  run(call: VmCall): VmOutcome {
    this.#host.begin(call.nowMs, callTimeMs);
    const outcome = this.#attempt(() => this.#call(call));
    if ('isDoubtful' in outcome && outcome.isDoubtful) this.#isDoubtful = true;
    if (!this.#host.wasOver) return outcome;
    this.#isDoubtful = true;
    return { isOverTime: true, log: this.#logOfInterrupted() };
  }

  /** Returns undefined if the engine accepts the script. */
  check(body: string): Exclude<VmOutcome, { isTrue: boolean }> | undefined {
    this.#host.begin(0, callTimeMs);
    const outcome = this.#attempt(() => {
      const compiled = this.#compile(body);
      if ('error' in compiled) return compiled;
      compiled.script.dispose();
      return { isTrue: true };
    });
    return 'isTrue' in outcome ? undefined : outcome;
  }

  dispose(): void {
    this.#engine.dispose();
  }

  /** An exception that leaves the engine is a failure of the engine. Errors of a script are returned as text. */
  #attempt(work: () => Outcome): Outcome {
    try {
      return work();
    } catch (error) {
      this.#isDoubtful = true;
      return {
        problem: error instanceof UnreadableInput ? error.message : tookTooMuchMemory,
      };
    }
  }

  #call(call: VmCall): Outcome {
    const script = this.#scriptOf(call);
    if ('error' in script) return script;
    const inputs = script.reads.map((reads, n) => (reads ? this.#input(n, call.inputs[n]!.text) : this.#engine.null));
    const seed = this.#engine.newNumber(call.seed);
    const text = this.#read('call', script.script, ...inputs, seed);
    seed.dispose();
    const outcome: Outcome = text === 't' ? { isTrue: true } : text === 'f' ? { isTrue: false } : JSON.parse(text);
    return this.#drainJobs() ? { ...outcome, log: this.#lastLog() } : outcome;
  }

  #scriptOf({ version, body }: VmCall): CompiledScript | ScriptError {
    const known = this.#compiled.get(version);
    if (known) return known;
    const compiled = this.#compile(body);
    if ('script' in compiled) this.#compiled.set(version, compiled, { size: body.length + 1 });
    return compiled;
  }

  #compile(body: string): CompiledScript | ScriptError {
    const source = this.#engine.newString(sourceOf(body));
    const script = this.#ask('compile', source);
    source.dispose();
    if (!script.isString) return { script, reads: inputNames.map((name) => canRead(body, name)) };
    // Part of the source may have run, and may have queued jobs.
    return { ...JSON.parse(script.consume((text) => text.toString())), isDoubtful: true };
  }

  #input(n: number, text: string): JSValueHandle {
    const last = this.#inputs[n];
    if (last?.text === text) return last.value;
    const value = this.#parse(n, text);
    last?.value.dispose();
    this.#inputs[n] = { text, value };
    return value;
  }

  #parse(n: number, text: string): JSValueHandle {
    try {
      const json = this.#engine.newString(text);
      const value = this.#ask('parse', json, this.#plan(this.#lastPlans[n] ?? '0'));
      json.dispose();
      const frozen = this.#ask('countFrozen').consume((count) => count.toNumber());
      if (frozen !== countHoldersAtMost(text) && frozen !== countHolders(text)) this.#freeze(n, value, text);
      return value;
    } catch {
      throw new UnreadableInput(`${inputNames[n]} is not JSON, or is nested too deeply.`);
    }
  }

  /** Freezes by a new plan, because the plan of the last input does not fit. */
  #freeze(n: number, value: JSValueHandle, text: string): void {
    const plan = freezePlanOf(JSON.parse(text));
    this.#ask('freeze', value, this.#plan(plan)).dispose();
    this.#lastPlans[n] = plan;
  }

  #plan(text: string): JSValueHandle {
    const known = this.#plans.get(text);
    if (known) return known;
    const json = this.#engine.newString(text);
    const plan = this.#ask('readPlan', json);
    json.dispose();
    this.#plans.set(text, plan);
    return plan;
  }

  /** Runs the jobs that a script has queued, within the time of the call or never. Returns whether there were any. */
  #drainJobs(): boolean {
    const jobs = runPendingJobs(this.#engine, (done) => {
      if (done === jobsMax) this.#host.end();
      return !this.#host.isOver();
    });
    return jobs > 0;
  }

  #logOfInterrupted(): string[] {
    if (this.#host.isBroken) return [];
    this.#host.begin(0, logTimeMs);
    try {
      return this.#lastLog();
    } catch {
      return [];
    }
  }

  #lastLog(): string[] {
    return JSON.parse(this.#read('takeLog'));
  }

  #read(name: GuestName, ...args: JSValueHandle[]): string {
    return this.#ask(name, ...args).consume((text) => text.toString());
  }

  #ask(name: GuestName, ...args: JSValueHandle[]): JSValueHandle {
    return this.#engine.callFunction(this.#guest[name], this.#engine.undefined, ...args);
  }
}

class UnreadableInput extends Error {}
