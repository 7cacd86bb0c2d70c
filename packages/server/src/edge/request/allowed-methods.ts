// The methods that each path allows, collected from the registered routes: for OPTIONS, and for the `Allow` header of a
// 405.

import type { FastifyInstance } from 'fastify';
import { restPath, tokenPath } from '../../paths.ts';

export class AllowedMethods {
  readonly #routes = new Map<string, { segments: string[]; methods: Set<string> }>();

  add({ url, method }: { url: string; method: string | string[] }): void {
    const route = this.#routes.get(url) ?? { segments: url.split('/'), methods: new Set<string>() };
    this.#routes.set(url, route);
    for (const name of [method].flat()) route.methods.add(name);
  }

  /** Adds OPTIONS to every path of the API. Called after all other routes are registered. */
  addOptions(app: FastifyInstance): void {
    for (const url of this.#routes.keys())
      if (url.startsWith(`${restPath}/`) || url === tokenPath)
        app.options(url, async (_, reply) => reply.code(204).header('allow', this.at(url)).send());
  }

  /**
   * For example `GET, HEAD, POST, OPTIONS`; undefined if there is no route. A literal path takes precedence over a
   * `:key` path.
   */
  at(path: string): string | undefined {
    const segments = path.split('/');
    const route =
      this.#routes.get(path) ?? [...this.#routes.values()].find((other) => isMatch(other.segments, segments));
    return route && inOrder.filter((name) => route.methods.has(name)).join(', ');
  }

  /**
   * Whether the router matched a `:key` route although another route, which lacks the method, has exactly this path.
   */
  isMistaken(path: string, route: string | undefined): boolean {
    return path !== route && this.#routes.has(path);
  }
}

/** Routes are not always registered in this order. */
const inOrder = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];

function isMatch(route: string[], path: string[]): boolean {
  return (
    route.length === path.length &&
    route.every((segment, index) => (segment.startsWith(':') ? path[index] !== '' : segment === path[index]))
  );
}
