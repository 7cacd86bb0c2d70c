// The series of one metric: one for each combination of label values. Finding a series builds no text, because every
// request and every attempt does it. The labels are rendered once, when the series is new.

export type LabelValue = string | number;

export class Series<T> {
  readonly #names: readonly string[];
  readonly #create: () => T;
  readonly #root: Branch<T> = { next: new Map(), state: undefined };
  readonly #all: [labels: string, state: T][] = [];

  constructor(names: readonly string[], create: () => T) {
    this.#names = names;
    this.#create = create;
  }

  /** The state of the series with these label values, in the order of the names. */
  at(values: readonly LabelValue[]): T {
    let branch = this.#root;
    for (const value of values) {
      let next = branch.next.get(value);
      if (!next) {
        next = { next: new Map(), state: undefined };
        branch.next.set(value, next);
      }
      branch = next;
    }
    branch.state ??= this.#add(values);
    return branch.state;
  }

  render(renderOne: (labels: string, state: T) => string): string {
    return this.#all.map(([labels, state]) => renderOne(labels, state)).join('');
  }

  #add(values: readonly LabelValue[]): T {
    const state = this.#create();
    this.#all.push([renderLabels(this.#names, values), state]);
    return state;
  }
}

interface Branch<T> {
  next: Map<LabelValue, Branch<T>>;
  state: T | undefined;
}

/** Example: `channel="HTTP",outcome="delivered"` */
export function renderLabels(names: readonly string[], values: readonly LabelValue[]): string {
  return names.map((name, index) => `${name}="${values[index]}"`).join(',');
}

/** One line of the Prometheus text format. */
export function renderSample(name: string, labels: string, value: number): string {
  return `${name}${labels === '' ? '' : `{${labels}}`} ${value}\n`;
}
