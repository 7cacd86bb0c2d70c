// Serves the API description for programs and the docs page for people. Each exists once per row of the version table,
// is rendered on first request, and is then cached.

import { hash } from 'node:crypto';
import { quoteText } from '@flaghoist/source-text';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { iconMarkup } from '../../describe/docs-page/page-icon.ts';
import { pageScript } from '../../describe/docs-page/page-script.ts';
import { pageStyle } from '../../describe/docs-page/page-style.ts';
import { renderDocsPage } from '../../describe/docs-page/render-docs-page.ts';
import { buildOpenApi } from '../../describe/openapi/build-openapi.ts';
import type {
  DescribedLimits,
  DescribedTokens,
  DescriptionOptions,
} from '../../describe/openapi/description-context.ts';
import { readServiceVersion } from '../../describe/openapi/service-version.ts';
import { ApiError } from '../../errors.ts';
import { isKnownVersion, newestVersion, oldestVersion, versionStep } from '../../model/api-versions.ts';
import { VisibleModels } from '../../model/narrow-model.ts';
import type { Model } from '../../model/object-type.ts';
import { withIncluded } from '../../model/scopes.ts';
import { isMatched } from '../../objects/etag.ts';
import type { WireNames } from '../../render/render-envelope.ts';
import { readQuery } from '../request/request-query.ts';

export interface DescriptionRouteOptions {
  model: Model;
  baseUrl: string;
  tokens: DescribedTokens;
  limits: DescribedLimits;
  wireNames: WireNames;
}

export function addDescriptionRoutes(app: FastifyInstance, { model, ...options }: DescriptionRouteOptions): void {
  const version = readServiceVersion();
  const visibleModels = new VisibleModels(model);
  const inEveryVersion = (render: Render) =>
    keepVersions((apiVersion) =>
      render(visibleModels.for({ version: apiVersion, scopes: withIncluded(['admin']) }), {
        ...options,
        version,
        apiVersion,
      }),
    );
  const document = inEveryVersion((seen, described) => JSON.stringify(buildOpenApi(seen, described)));
  addFile(app, '/openapi.json', 'application/json; charset=utf-8', document);
  addFile(app, '/docs', 'text/html; charset=utf-8', inEveryVersion(renderDocsPage));
  addFile(app, '/docs/style.css', 'text/css; charset=utf-8', keepOne(pageStyle));
  addFile(app, '/docs/script.js', 'text/javascript; charset=utf-8', keepOne(pageScript));
  addFile(app, '/docs/icon.svg', 'image/svg+xml', keepOne(iconMarkup));
  // Relative, so that the links work behind a proxy that adds a path prefix.
  addRedirect(app, '/', 'docs');
  addRedirect(app, '/docs/', '../docs');
}

type Render = (model: Model, options: DescriptionOptions) => string;

interface File {
  /** As bytes, so that all concurrent readers share one copy. */
  content: Buffer;
  etag: string;
}

/** Selects the file for a request. */
type FileFor = (request: FastifyRequest) => File;

function keepOne(content: string): FileFor {
  const file = fileOf(content);
  return () => file;
}

function keepVersions(render: (apiVersion: string) => string): FileFor {
  const kept = new Map<string, File>();
  return (request) => {
    const apiVersion = versionStep(readVersion(request) ?? newestVersion);
    const file = kept.get(apiVersion) ?? fileOf(render(apiVersion));
    kept.set(apiVersion, file);
    return file;
  };
}

function fileOf(content: string): File {
  return { content: Buffer.from(content), etag: `"${hash('sha1', content, 'base64url')}"` };
}

function readVersion({ url }: FastifyRequest): string | undefined {
  const parameters = readQuery(url);
  const unknown = parameters.find(([name]) => name !== 'version');
  if (unknown) throw invalid(`The only query parameter here is "version"; ${quoteText(unknown[0])} is not known.`);
  if (parameters.length > 1) throw invalid('The query parameter "version" is given twice.');
  const version = parameters[0]?.[1];
  if (version === undefined || isKnownVersion(version)) return version;
  throw invalid(
    `There is no API version ${quoteText(version)}; supported are versions ${oldestVersion} to ${newestVersion}.`,
  );
}

function invalid(message: string): ApiError {
  return new ApiError('invalidQuery', message);
}

const fileHeaders = {
  'cache-control': 'public, max-age=60',
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  'referrer-policy': 'no-referrer',
};

function addFile(app: FastifyInstance, url: string, contentType: string, fileFor: FileFor): void {
  app.get(url, async (request, reply) => {
    const { content, etag } = fileFor(request);
    reply.headers({ ...fileHeaders, etag });
    const ifNoneMatch = request.headers['if-none-match'];
    if (ifNoneMatch !== undefined && isMatched(ifNoneMatch, etag)) return reply.code(304).send();
    return reply.header('content-type', contentType).send(content);
  });
}

function addRedirect(app: FastifyInstance, url: string, location: string): void {
  app.get(url, async (_, reply): Promise<FastifyReply> => reply.code(302).header('location', location).send());
}
