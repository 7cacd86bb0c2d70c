// A histogram of durations in seconds, for each combination of label values.

import { type LabelValue, renderSample, Series } from './series.ts';

const bucketBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Durations {
  /** The count of each bucket alone; the rendered counts include the smaller buckets. */
  buckets: number[];
  sum: number;
  count: number;
}

export class Histogram {
  readonly #name: string;
  readonly #series: Series<Durations>;

  constructor(name: string, labels: readonly string[]) {
    this.#name = name;
    this.#series = new Series(labels, () => ({ buckets: bucketBounds.map(() => 0), sum: 0, count: 0 }));
  }

  add(seconds: number, labels: readonly LabelValue[]): void {
    const durations = this.#series.at(labels);
    const index = bucketBounds.findIndex((bound) => seconds <= bound);
    if (index >= 0) durations.buckets[index]! += 1;
    durations.sum += seconds;
    durations.count += 1;
  }

  render(): string {
    return this.#series.render((labels, durations) => this.#renderOne(labels, durations));
  }

  #renderOne(labels: string, { buckets, sum, count }: Durations): string {
    const bucket = (bound: number | string, value: number) =>
      renderSample(`${this.#name}_bucket`, `${labels === '' ? '' : `${labels},`}le="${bound}"`, value);
    let below = 0;
    const lines = buckets.map((inBucket, index) => {
      below += inBucket;
      return bucket(bucketBounds[index]!, below);
    });
    return [
      ...lines,
      bucket('+Inf', count),
      renderSample(`${this.#name}_sum`, labels, sum),
      renderSample(`${this.#name}_count`, labels, count),
    ].join('');
  }
}
