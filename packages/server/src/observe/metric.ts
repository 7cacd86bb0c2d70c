// Counters and histograms, in the Prometheus text format. Each combination of labels is a series of its own.

const bucketBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class Counter {
  readonly #name: string;
  readonly #sums = new Map<string, number>();

  constructor(name: string) {
    this.#name = name;
  }

  add(amount: number, labels: string): void {
    this.#sums.set(labels, (this.#sums.get(labels) ?? 0) + amount);
  }

  render(): string {
    return [...this.#sums].map(([labels, sum]) => renderSample(this.#name, labels, sum)).join('');
  }
}

interface Durations {
  /** The count of each bucket alone; the rendered counts include the smaller buckets. */
  buckets: number[];
  sum: number;
  count: number;
}

/** Of durations in seconds. */
export class Histogram {
  readonly #name: string;
  readonly #series = new Map<string, Durations>();

  constructor(name: string) {
    this.#name = name;
  }

  add(seconds: number, labels: string): void {
    const durations = this.#series.get(labels) ?? { buckets: bucketBounds.map(() => 0), sum: 0, count: 0 };
    this.#series.set(labels, durations);
    const index = bucketBounds.findIndex((bound) => seconds <= bound);
    if (index >= 0) durations.buckets[index]! += 1;
    durations.sum += seconds;
    durations.count += 1;
  }

  render(): string {
    return [...this.#series].map(([labels, durations]) => this.#renderOne(labels, durations)).join('');
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

export type LabelValue = string | number;

/** Example: `channel="HTTP",outcome="delivered"` */
export function renderLabels(names: readonly string[], values: readonly LabelValue[]): string {
  return names.map((name, index) => `${name}="${values[index]}"`).join(',');
}

export function renderSample(name: string, labels: string, value: number): string {
  return `${name}${labels === '' ? '' : `{${labels}}`} ${value}\n`;
}
