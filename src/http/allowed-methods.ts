// Which methods each path takes, learnt from the routes themselves, for the `Allow` of a 405. Asked only about requests
// that no route took.

export class AllowedMethods {
  readonly #routes = new Map<string, { segments: string[]; methods: Set<string> }>();

  add({ url, method }: { url: string; method: string | string[] }): void {
    const route = this.#routes.get(url) ?? { segments: url.split('/'), methods: new Set<string>() };
    this.#routes.set(url, route);
    for (const name of [method].flat()) route.methods.add(name);
  }

  /** `GET, HEAD, POST, OPTIONS`; nothing where no route is. */
  at(path: string): string | undefined {
    const segments = path.split('/');
    for (const route of this.#routes.values()) {
      if (isMatch(route.segments, segments)) return inOrder.filter((name) => route.methods.has(name)).join(', ');
    }
    return undefined;
  }
}

/** Of the `Allow` that OPTIONS answers; routes are not always added in it. */
const inOrder = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];

function isMatch(route: string[], path: string[]): boolean {
  return (
    route.length === path.length &&
    route.every((segment, index) => (segment.startsWith(':') ? path[index] !== '' : segment === path[index]))
  );
}
