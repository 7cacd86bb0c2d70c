// What the service says about itself: the API description for programs, and a page for people. Both are made once, when
// the service starts.

import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Model } from '../../model/object-type.ts';
import { isMatched } from '../../objects/etag.ts';
import { iconMarkup } from '../docs-page/page-icon.ts';
import { pageScript } from '../docs-page/page-script.ts';
import { pageStyle } from '../docs-page/page-style.ts';
import { renderDocsPage } from '../docs-page/render-docs-page.ts';
import { buildOpenApi } from '../openapi/build-openapi.ts';
import type { DescribedLimits } from '../openapi/description-context.ts';
import { readServiceVersion } from '../openapi/service-version.ts';

export interface DescriptionRouteOptions {
  model: Model;
  baseUrl: string;
  limits: DescribedLimits;
}

export function addDescriptionRoutes(app: FastifyInstance, { model, baseUrl, limits }: DescriptionRouteOptions): void {
  const options = { baseUrl, version: readServiceVersion(), limits };
  addFile(app, '/openapi.json', 'application/json; charset=utf-8', JSON.stringify(buildOpenApi(model, options)));
  addFile(app, '/docs', 'text/html; charset=utf-8', renderDocsPage(model, options));
  addFile(app, '/docs/style.css', 'text/css; charset=utf-8', pageStyle);
  addFile(app, '/docs/script.js', 'text/javascript; charset=utf-8', pageScript);
  addFile(app, '/docs/icon.svg', 'image/svg+xml', iconMarkup);
  // Relative, so that they hold behind a proxy that puts a path before ours.
  addRedirect(app, '/', 'docs');
  addRedirect(app, '/docs/', '../docs');
}

const fileHeaders = {
  'cache-control': 'public, max-age=60',
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  'referrer-policy': 'no-referrer',
};

function addFile(app: FastifyInstance, url: string, contentType: string, content: string): void {
  const etag = `"${hash('sha1', content, 'base64url')}"`;
  app.get(url, async (request, reply) => {
    reply.headers({ ...fileHeaders, etag });
    const ifNoneMatch = request.headers['if-none-match'];
    if (ifNoneMatch !== undefined && isMatched(ifNoneMatch, etag)) return reply.code(304).send();
    return reply.header('content-type', contentType).send(content);
  });
}

function addRedirect(app: FastifyInstance, url: string, location: string): void {
  app.get(url, async (_, reply): Promise<FastifyReply> => reply.code(302).header('location', location).send());
}
