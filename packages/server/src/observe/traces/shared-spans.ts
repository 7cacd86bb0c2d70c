// One piece of work for several traces: each gets a span, and what the work does is inside the first of them. The
// others link to that one.

import type { Attributes, NewSpan, Span, Tracing } from './tracing.ts';

export type SharedSpan = Omit<NewSpan, 'links'>;

export class SharedSpans<Key> {
  readonly #tracing: Tracing;
  readonly #spans = new Map<Key, Span>();
  #first: Span | undefined;

  constructor(tracing: Tracing) {
    this.#tracing = tracing;
  }

  /** Returns undefined if its trace is not sampled. */
  begin(key: Key, span: SharedSpan): Span | undefined {
    const links = this.#first ? [this.#first.asParent] : [];
    const begun = this.#tracing.begin({ ...span, links });
    if (begun) this.#spans.set(key, begun);
    this.#first ??= begun;
    return begun;
  }

  run<T>(work: () => T): T {
    return this.#first ? this.#first.run(work) : work();
  }

  end(key: Key, attributes?: Attributes, error?: string): void {
    this.#spans.get(key)?.end(attributes, error);
  }

  /** Those that have not ended yet. */
  endAll(attributes?: Attributes, error?: string): void {
    for (const span of this.#spans.values()) span.end(attributes, error);
  }
}
