// Which methods each path takes, learnt from the routes themselves, for the `Allow` of a 405. Asked about requests that no
// route took, or the wrong one.

export class AllowedMethods {
  readonly #routes = new Map<string, { segments: string[]; methods: Set<string> }>();

  add({ url, method }: { url: string; method: string | string[] }): void {
    const route = this.#routes.get(url) ?? { segments: url.split('/'), methods: new Set<string>() };
    this.#routes.set(url, route);
    for (const name of [method].flat()) route.methods.add(name);
  }

  /** `GET, HEAD, POST, OPTIONS`; nothing where no route is. A path that stands there word by word is no `:key`. */
  at(path: string): string | undefined {
    const segments = path.split('/');
    const route =
      this.#routes.get(path) ?? [...this.#routes.values()].find((other) => isMatch(other.segments, segments));
    return route && inOrder.filter((name) => route.methods.has(name)).join(', ');
  }

  /** Whether a route took the path for an object's although another one, which lacks the method, has that very path. */
  isMistaken(path: string, route: string | undefined): boolean {
    return path !== route && this.#routes.has(path);
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
