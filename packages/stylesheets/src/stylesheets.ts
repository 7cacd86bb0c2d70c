// Transforms objects with the stylesheets of subscribers (XSLT 1.0), in threads that are killed when a transform takes
// too long. Whatever a stylesheet does, it affects only its own notification.

import { type ItemResult, type LanedItem, WorkerPool } from '@flaghoist/thread-pool';
import { compileEngine } from './engine-binary.ts';
import type { Mistake } from './engine-error.ts';

export interface Transform {
  /** Identifies the stylesheet. Each thread compiles a version once. */
  readonly version: string;
  /** XML text. */
  readonly stylesheet: string;
  readonly xml: string;
  /** If a transform takes too long, the rest of its lane in the batch is skipped. Defaults to the version. */
  readonly lane?: string;
}

/** With the milliseconds spent in the thread. */
export type TimedTransformResult = TransformResult & { readonly tookMs: number };

export type TransformResult =
  | {
      readonly kind: 'made';
      /** To be sent as UTF-8. */
      readonly body: string;
      /** With `charset=utf-8`. */
      readonly contentType: string;
    }
  | {
      readonly kind: 'failed';
      /** The message of the engine or of the stylesheet itself, with the line if it is known. */
      readonly message: string;
      /** The transform took too long, or its engine was lost, which delays others about as much. */
      readonly isOverTime: boolean;
    }
  /** Not run: an earlier transform of the same lane in the batch took too long. */
  | { readonly kind: 'skipped' };

export type CheckResult = { readonly kind: 'fits' } | ({ readonly kind: 'mistaken' } & Mistake);

export interface Stylesheets {
  /** Returns one result per transform. Rejects only with PoolBusy. */
  transform(transforms: readonly Transform[]): Promise<TimedTransformResult[]>;
  /** Checks whether a stylesheet compiles. Rejects only with PoolBusy. */
  check(stylesheet: string): Promise<CheckResult>;
  readonly freeThreads: number;
  close(): Promise<void>;
}

/**
 * An item for a thread. Transforms share the object of their stylesheet. The structured clone of a batch contains each
 * shared object once.
 */
export type StylesheetWork = LanedItem &
  (
    | {
        readonly kind: 'transform';
        readonly version: string;
        readonly stylesheet: { readonly text: string };
        readonly xml: string;
      }
    | { readonly kind: 'check'; readonly stylesheet: { readonly text: string } }
  );

type Answer = TransformResult | CheckResult;

const itemTimeMs = 1_000;

/** `batchTimeMs`: after this time, the remaining transforms of a batch are skipped. */
export function openStylesheets({ threads, ...limits }: { threads: number; batchTimeMs?: number }): Stylesheets {
  const pool = new WorkerPool<StylesheetWork, Answer>({
    module: new URL('./stylesheet-worker.js', import.meta.url),
    threads,
    ...limits,
    itemTimeMs,
    heapMb: 128,
    // The compiled code stays with the pool: a thread that replaces a killed one does not compile it again.
    given: compileEngine(),
    waitingMax: 16,
  });
  return {
    transform: async (transforms) => (await pool.run(workOf(transforms))).map(transformResultOf),
    check: async (text) => checkResultOf((await pool.run([{ kind: 'check', stylesheet: { text } }]))[0]!),
    get freeThreads() {
      return pool.freeThreads;
    },
    close: () => pool.close(),
  };
}

function workOf(transforms: readonly Transform[]): StylesheetWork[] {
  const texts = new Map<string, { text: string }>();
  return transforms.map(({ version, stylesheet, xml, lane = version }) => {
    const text = texts.get(version) ?? { text: stylesheet };
    texts.set(version, text);
    return { lane, kind: 'transform', version, stylesheet: text, xml };
  });
}

function transformResultOf(result: ItemResult<Answer>): TimedTransformResult {
  if (result.kind === 'answered') return { ...(result.answer as TransformResult), tookMs: result.tookMs };
  if (result.kind === 'skipped') return { ...result, tookMs: 0 };
  return { kind: 'failed', message: whyLost(result), isOverTime: true, tookMs: itemTimeMs };
}

function checkResultOf(result: ItemResult<Answer>): CheckResult {
  if (result.kind === 'answered') return result.answer as CheckResult;
  return { kind: 'mistaken', message: whyLost(result), line: undefined };
}

function whyLost(result: Exclude<ItemResult<Answer>, { kind: 'answered' }>): string {
  return result.kind === 'crashed'
    ? `The stylesheet crashed its thread: ${result.error.message}`
    : `The stylesheet took longer than ${itemTimeMs} ms.`;
}
