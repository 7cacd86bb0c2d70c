// A counter: one sum for each combination of label values.

import { type LabelValue, renderSample, Series } from './series.ts';

export class Counter {
  readonly #name: string;
  readonly #series: Series<{ sum: number }>;

  constructor(name: string, labels: readonly string[]) {
    this.#name = name;
    this.#series = new Series(labels, () => ({ sum: 0 }));
  }

  add(amount: number, labels: readonly LabelValue[]): void {
    this.#series.at(labels).sum += amount;
  }

  render(): string {
    return this.#series.render((labels, { sum }) => renderSample(this.#name, labels, sum));
  }
}
