// Serves the API description for programs and the docs page for people. Each exists once per row of the version table,
// is rendered on first request, and is then cached.

import { hash } from 'node:crypto';
import { quoteText } from '@flaghoist/source-text';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Settings } from '../../config/settings-table.ts';
import { buildOpenApi } from '../../describe/build-openapi.ts';
import { iconMarkup } from '../../describe/docs-page/page-icon.ts';
import { pageScript } from '../../describe/docs-page/page-script.ts';
import { pageStyle } from '../../describe/docs-page/page-style.ts';
import { renderDocsPage } from '../../describe/docs-page/render-docs-page.ts';
import type { DescriptionOptions } from '../../describe/openapi/description-context.ts';
import { readServiceVersion } from '../../describe/openapi/service-version.ts';
import { entryOf } from '../../entry-of.ts';
import { ApiError } from '../../errors.ts';
import { isKnownVersion, newestVersion, oldestVersion, versionStep } from '../../model/api-versions.ts';
import { VisibleModels } from '../../model/narrow-model.ts';
import type { Model } from '../../model/object-type.ts';
import { withIncluded } from '../../model/scopes.ts';
import { isMatched } from '../../objects/etag.ts';
import { checkParameters, firstValue } from '../../query/query-parameter.ts';
import { readQuery } from '../request/request-query.ts';
import { type EncodedFile, gzipped, sendEncoded } from '../response/send-encoded.ts';

export interface DescriptionRouteParts {
  model: Model;
  baseUrl: string;
  settings: Settings;
}

export function addDescriptionRoutes(app: FastifyInstance, { model, baseUrl, settings }: DescriptionRouteParts): void {
  const version = readServiceVersion();
  const visibleModels = new VisibleModels(model);
  const scopes = withIncluded(['admin']);
  const inEveryVersion = (render: (model: Model, options: DescriptionOptions) => string): FileOf => {
    const files = new Map<string, File>();
    return (request) => {
      const apiVersion = versionStep(readVersion(request));
      const described = () => visibleModels.for({ version: apiVersion, scopes });
      const options = { baseUrl, settings, version, apiVersion };
      return entryOf(files, apiVersion, () => fileOf(render(described(), options)));
    };
  };
  const document = inEveryVersion((described, options) => JSON.stringify(buildOpenApi(described, options)));
  addFile(app, '/openapi.json', 'application/json; charset=utf-8', document);
  addFile(app, '/docs', 'text/html; charset=utf-8', inEveryVersion(renderDocsPage));
  const [style, script, icon] = [fileOf(pageStyle), fileOf(pageScript), fileOf(iconMarkup)];
  addFile(app, '/docs/style.css', 'text/css; charset=utf-8', () => style);
  addFile(app, '/docs/script.js', 'text/javascript; charset=utf-8', () => script);
  addFile(app, '/docs/icon.svg', 'image/svg+xml', () => icon);
  // Relative, so that the links work behind a proxy that adds a path prefix.
  app.get('/', async (_, reply) => reply.redirect('docs'));
  app.get('/docs/', async (_, reply) => reply.redirect('../docs'));
}

interface File extends EncodedFile {
  etag: string;
}

type FileOf = (request: FastifyRequest) => File;

function fileOf(content: string): File {
  return { ...gzipped(Buffer.from(content)), etag: `"${hash('sha1', content, 'base64url')}"` };
}

function readVersion(request: FastifyRequest): string {
  const query = readQuery(request);
  checkParameters(query, new Map([['version', 'once']]));
  const version = firstValue(query, 'version') ?? newestVersion;
  if (isKnownVersion(version)) return version;
  throw new ApiError(
    'invalidQuery',
    `There is no API version ${quoteText(version)}; supported are versions ${oldestVersion} to ${newestVersion}.`,
  );
}

const fileHeaders = {
  'cache-control': 'public, max-age=60',
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  'referrer-policy': 'no-referrer',
};

function addFile(app: FastifyInstance, url: string, contentType: string, select: FileOf): void {
  app.get(url, async (request, reply) => {
    const file = select(request);
    // Weak, because it is the same for each encoding.
    reply.headers({ ...fileHeaders, etag: `W/${file.etag}` });
    const ifNoneMatch = request.headers['if-none-match'];
    if (ifNoneMatch !== undefined && isMatched(ifNoneMatch, file.etag)) return reply.code(304).send();
    return sendEncoded(request, reply.header('content-type', contentType), file);
  });
}
