// What the service says about itself: the API description for programs, and a page for people. There is one of each for every
// row of the version table, made when it is first asked for and then kept.

import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import { quoteText } from '../../json/printable.ts';
import { isKnownVersion, newestVersion, oldestVersion, versionStep } from '../../model/api-versions.ts';
import { SeenModels } from '../../model/narrow-model.ts';
import type { Model } from '../../model/object-type.ts';
import { withIncluded } from '../../model/scopes.ts';
import { isMatched } from '../../objects/etag.ts';
import type { WireNames } from '../../payload/render-envelope.ts';
import { iconMarkup } from '../docs-page/page-icon.ts';
import { pageScript } from '../docs-page/page-script.ts';
import { pageStyle } from '../docs-page/page-style.ts';
import { renderDocsPage } from '../docs-page/render-docs-page.ts';
import { buildOpenApi } from '../openapi/build-openapi.ts';
import type { DescribedLimits, DescribedTokens, DescriptionOptions } from '../openapi/description-context.ts';
import { readServiceVersion } from '../openapi/service-version.ts';
import { readQuery } from '../request-query.ts';

export interface DescriptionRouteOptions {
  model: Model;
  baseUrl: string;
  tokens: DescribedTokens;
  limits: DescribedLimits;
  wireNames: WireNames;
}

export function addDescriptionRoutes(app: FastifyInstance, { model, ...options }: DescriptionRouteOptions): void {
  const version = readServiceVersion();
  const seenModels = new SeenModels(model);
  const inEveryVersion = (render: Render) =>
    keepVersions((apiVersion) =>
      render(seenModels.for({ version: apiVersion, scopes: withIncluded(['admin']) }), {
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
  // Relative, so that they hold behind a proxy that puts a path before ours.
  addRedirect(app, '/', 'docs');
  addRedirect(app, '/docs/', '../docs');
}

type Render = (model: Model, options: DescriptionOptions) => string;

interface File {
  /** As bytes: however many read it at once, there is one copy. */
  content: Buffer;
  etag: string;
}

/** What a request for a file is answered with. */
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
    `There is no API version ${quoteText(version)}; known are the versions from ${oldestVersion} to ${newestVersion}.`,
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
