// Transforms objects with the stylesheets of subscribers (XSLT 1.0), in threads that are killed when one takes too long. Whatever a
// stylesheet does, it costs its own notification and no other.

import type { LanedItem } from '../../sandbox/serve-items.ts';
import { type ItemResult, PoolBusy, WorkerPool } from '../../sandbox/worker-pool.ts';
import { compileEngine } from './engine-binary.ts';

export interface Transform {
  /** Names the stylesheet; compiled once for it in each thread. */
  readonly edition: string;
  /** XML text. */
  readonly stylesheet: string;
  readonly xml: string;
  /** Where one takes too long, the others of its lane in the batch are left out; else it is the edition. */
  readonly lane?: string;
}

/** With the milliseconds that it took in its thread. */
export type TimedTransformResult = TransformResult & { readonly tookMs: number };

export type TransformResult =
  | {
      readonly kind: 'made';
      /** UTF-8 */
      readonly body: string;
      /** With `charset=utf-8`. */
      readonly contentType: string;
    }
  | {
      readonly kind: 'failed';
      /** In the words of the engine or of the stylesheet itself, with the line in it where that is known. */
      readonly message: string;
      /** Or it has cost its engine, which takes others about as long. */
      readonly isOverTime: boolean;
    }
  /** Not made: the same stylesheet took too long, earlier in the batch. */
  | { readonly kind: 'leftOut' };

export type CheckResult =
  | { readonly kind: 'fits' }
  | { readonly kind: 'mistaken'; readonly message: string; readonly line: number | undefined };

export interface Stylesheets {
  /** One result for each. Rejects with PoolBusy only. */
  transform(transforms: readonly Transform[]): Promise<TimedTransformResult[]>;
  /** Compiles it. Rejects with PoolBusy only. */
  check(stylesheet: string): Promise<CheckResult>;
  readonly freeThreads: number;
  close(): Promise<void>;
}

/** What a thread is given. What transforms have in common stands in one object: one that is met again in a batch is sent once. */
export type StylesheetWork = LanedItem &
  (
    | {
        readonly kind: 'transform';
        readonly edition: string;
        readonly stylesheet: { readonly text: string };
        readonly xml: string;
      }
    | { readonly kind: 'check'; readonly stylesheet: { readonly text: string } }
  );

type Answer = TransformResult | CheckResult;

const itemTimeMs = 1_000;

export function openStylesheets({ threads }: { threads: number }): Stylesheets {
  const pool = new WorkerPool<StylesheetWork, Answer>({
    module: new URL('./stylesheet-worker.js', import.meta.url),
    threads,
    itemTimeMs,
    heapMb: 128,
    // What is compiled of it stays with the pool: a thread that comes after one was killed does not begin anew.
    given: compileEngine(),
    waitingMax: 16,
  });
  return {
    transform: async (transforms) => {
      const results = await run(pool, workOf(transforms));
      return results.map(transformResultOf);
    },
    check: async (stylesheet) =>
      checkResultOf((await run(pool, [{ kind: 'check', stylesheet: { text: stylesheet } }]))[0]!),
    get freeThreads() {
      return pool.freeThreads;
    },
    close: () => pool.close(),
  };
}

function workOf(transforms: readonly Transform[]): StylesheetWork[] {
  const texts = new Map<string, { text: string }>();
  return transforms.map(({ edition, stylesheet, xml, lane = edition }) => {
    const text = texts.get(edition) ?? { text: stylesheet };
    texts.set(edition, text);
    return { lane, kind: 'transform', edition, stylesheet: text, xml };
  });
}

/** Where a thread could not even be started, it may be possible later. */
async function run(
  pool: WorkerPool<StylesheetWork, Answer>,
  work: readonly StylesheetWork[],
): Promise<ItemResult<Answer>[]> {
  try {
    return await pool.run(work);
  } catch (error) {
    throw error instanceof PoolBusy ? error : new PoolBusy((error as Error).message, { cause: error });
  }
}

function transformResultOf(result: ItemResult<Answer>): TimedTransformResult {
  if (result.kind === 'answered') return { ...(result.answer as TransformResult), tookMs: result.tookMs };
  if (result.kind === 'leftOut') return { ...result, tookMs: 0 };
  return { kind: 'failed', message: whyLost(result), isOverTime: true, tookMs: itemTimeMs };
}

function checkResultOf(result: ItemResult<Answer>): CheckResult {
  if (result.kind === 'answered') return result.answer as CheckResult;
  return { kind: 'mistaken', message: whyLost(result), line: undefined };
}

function whyLost(result: Exclude<ItemResult<Answer>, { kind: 'answered' }>): string {
  return result.kind === 'crashed'
    ? `The stylesheet broke its thread: ${result.error.message}`
    : `The stylesheet took longer than ${itemTimeMs} ms.`;
}
