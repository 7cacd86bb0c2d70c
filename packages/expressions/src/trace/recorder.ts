// Compiles a checked tree so that it records the value of each part. Slower than an evaluation, and used only to explain
// one: the closures of `compile-checked.ts` are wrapped, so the semantics are the same.

import type { Checked } from '../check/checked-tree.ts';
import { compileNode } from '../compile/compile-checked.ts';
import { type Compile, compileReceiver } from '../compile/compile-receiver.ts';
import type { Run } from '../compile/frame.ts';

type Lambda = Checked & { kind: 'lambda' };

/** What was recorded: in the whole expression, or in one call of a lambda. */
export interface Scope {
  readonly results: Map<Checked, Result>;
  readonly calls: Map<Lambda, Calls>;
}

/** A failure is recorded for the part that failed, and for all parts around it. */
export type Result = { readonly kind: 'value'; readonly value: unknown } | { readonly kind: 'failure' };

export interface Calls {
  count: number;
  /** The first calls, and the last one. */
  readonly kept: Call[];
}

export interface Call {
  readonly element: unknown;
  readonly scope: Scope;
}

const callsKept = 10;

export interface Recorder {
  compile(tree: Checked): Run;
  /** Begins a new evaluation, and returns what will be recorded of it. */
  start(): Scope;
}

export function createRecorder(): Recorder {
  let scope = emptyScope();

  const compile: Compile = (node, as = 'value') => {
    if (node.kind === 'lambda') return recordCalls(node);
    const run = as === 'receiver' ? compileReceiver(node, compile) : compileNode(node, compile);
    return node.source ? recordResult(node, run) : run;
  };

  const recordResult =
    (node: Checked, run: Run): Run =>
    (frame) => {
      const { results } = scope;
      try {
        const value = run(frame);
        results.set(node, { kind: 'value', value });
        return value;
      } catch (error) {
        results.set(node, { kind: 'failure' });
        throw error;
      }
    };

  const recordCalls = (node: Lambda): Run => {
    const create = compileNode(node, compile) as Run<(element: unknown) => unknown>;
    return (frame) => {
      const { calls } = scope;
      const call = create(frame);
      return (element: unknown) => {
        const before = scope;
        scope = keepCall(calls, node, element);
        try {
          return call(element);
        } finally {
          scope = before;
        }
      };
    };
  };

  const start = () => {
    scope = emptyScope();
    return scope;
  };

  return { compile, start };
}

function keepCall(calls: Map<Lambda, Calls>, node: Lambda, element: unknown): Scope {
  const ofNode = calls.get(node) ?? { count: 0, kept: [] };
  calls.set(node, ofNode);
  const scope = emptyScope();
  ofNode.count += 1;
  if (ofNode.kept.length === callsKept) ofNode.kept.pop();
  ofNode.kept.push({ element, scope });
  return scope;
}

function emptyScope(): Scope {
  return { results: new Map(), calls: new Map() };
}
