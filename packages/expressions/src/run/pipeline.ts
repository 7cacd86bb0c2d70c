// Java streams, which are lazy: each element passes through all stages before the next one is read, and no
// further element is read once the result is known. So an element that is not needed cannot cause a failure.

import { JavaFailure } from './java-failure.ts';
import { type Meter, spend } from './meter.ts';

export interface Pipeline {
  /** The number of elements, if known. If so, `count` returns it without running the stages, as in Java. */
  readonly sizeIfKnown?: number | undefined;
  /** Visits the elements until `visit` returns false. */
  each(visit: (element: unknown) => boolean): void;
}

export function overList(list: readonly unknown[], meter: Meter): Pipeline {
  return {
    sizeIfKnown: list.length,
    each(visit) {
      for (const element of list) {
        spend(meter, 1);
        if (!visit(element)) return;
      }
    },
  };
}

export function filtered(source: Pipeline, isWanted: (element: unknown) => boolean): Pipeline {
  return {
    each: (visit) => source.each((element) => !isWanted(element) || visit(element)),
  };
}

export function mapped(source: Pipeline, map: (element: unknown) => unknown): Pipeline {
  return { sizeIfKnown: source.sizeIfKnown, each: (visit) => source.each((element) => visit(map(element))) };
}

export function flattened(source: Pipeline, map: (element: unknown) => unknown): Pipeline {
  return {
    each: (visit) =>
      source.each((element) => {
        let shouldContinue = true;
        (map(element) as Pipeline | null)?.each((inner) => {
          shouldContinue = visit(inner);
          return shouldContinue;
        });
        return shouldContinue;
      }),
  };
}

/** `identify` must return the same value for equal elements. */
export function distinct(source: Pipeline, identify: (element: unknown) => unknown): Pipeline {
  return {
    each(visit) {
      const seen = new Set<unknown>();
      source.each((element) => {
        const identity = identify(element);
        if (seen.has(identity)) return true;
        seen.add(identity);
        return visit(element);
      });
    },
  };
}

type Compare = (left: unknown, right: unknown, meter: Meter) => number;

export function sorted(source: Pipeline, compare: Compare, meter: Meter): Pipeline {
  return {
    sizeIfKnown: source.sizeIfKnown,
    each(visit) {
      const elements = collect(source);
      spend(meter, elements.length * 32);
      elements.sort((left, right) => {
        if (left === null || right === null) throw new JavaFailure('NullPointerException', 'null cannot be sorted');
        return compare(left, right, meter);
      });
      elements.every(visit);
    },
  };
}

export function limited(source: Pipeline, count: number): Pipeline {
  checkCount(count);
  return {
    sizeIfKnown: source.sizeIfKnown && Math.min(source.sizeIfKnown, count),
    each(visit) {
      let remaining = count;
      if (remaining > 0) source.each((element) => visit(element) && --remaining > 0);
    },
  };
}

export function skipping(source: Pipeline, count: number): Pipeline {
  checkCount(count);
  return {
    sizeIfKnown: source.sizeIfKnown && Math.max(0, source.sizeIfKnown - count),
    each(visit) {
      let remaining = count;
      source.each((element) => remaining-- > 0 || visit(element));
    },
  };
}

export function fold<V>(source: Pipeline, start: V, add: (result: V, element: V) => V): V {
  let result = start;
  source.each((element) => {
    result = add(result, element as V);
    return true;
  });
  return result;
}

export function collect(source: Pipeline): unknown[] {
  const elements: unknown[] = [];
  source.each((element) => {
    elements.push(element);
    return true;
  });
  return elements;
}

export function count(source: Pipeline): number {
  return source.sizeIfKnown ?? collect(source).length;
}

export function anyMatch(source: Pipeline, isMatch: (element: unknown) => boolean): boolean {
  return find(source, isMatch) !== undefined;
}

/** The first element that matches; undefined if there is none. An element can be null, but not undefined. */
export function find(source: Pipeline, isMatch: (element: unknown) => boolean): unknown {
  let found: unknown;
  source.each((element) => {
    if (isMatch(element)) found = element;
    return found === undefined;
  });
  return found;
}

function checkCount(count: number): void {
  if (count < 0) throw new JavaFailure('IllegalArgumentException', `limit() and skip() do not accept ${count}`);
}
