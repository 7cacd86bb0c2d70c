// Serves the page at `/console` and its assets. The page needs no token and contains no data: what it shows, it asks
// from the REST interface.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import { isMatched } from '../../objects/etag.ts';
import { consolePath } from '../../paths.ts';
import { type ConsoleAsset, type ConsoleFiles, readConsoleFiles } from '../console/console-files.ts';
import { sendEncoded } from '../response/send-encoded.ts';

export function addConsoleRoutes(app: FastifyInstance, baseUrl: string): void {
  const files = readConsoleFiles(new URL(baseUrl).pathname.replace(/\/+$/, ''));
  // Every address is a state of the page, which decides whether it exists.
  for (const path of [consolePath, `${consolePath}/*`])
    app.get(path, async (request, reply) => sendPage(request, reply, files));
  app.get<{ Params: { name: string } }>(`${consolePath}/assets/:name`, async (request, reply) => {
    const asset = files?.assets.get(request.params.name);
    if (!asset) throw new ApiError('unknownResource', 'Not found: an asset of the console. Reload the page.');
    return sendAsset(request, reply, asset);
  });
}

/** Nothing but the page's own files runs, nothing from elsewhere is loaded, and no other page may frame it. */
const pageHeaders = {
  'cache-control': 'no-cache',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'content-type': 'text/html; charset=utf-8',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
};

function sendPage(request: FastifyRequest, reply: FastifyReply, files: ConsoleFiles | undefined): FastifyReply {
  if (!files) return reply.code(503).header('content-type', 'text/plain; charset=utf-8').send(notBuilt);
  reply.headers(pageHeaders).header('etag', files.etag);
  const known = request.headers['if-none-match'];
  if (known !== undefined && isMatched(known, files.etag)) return reply.code(304).send();
  return reply.send(files.page);
}

const notBuilt = 'The console is not built. Run "npm run build", and restart the service.\n';

/** The name of an asset contains a hash of its content, so it never changes. */
function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: ConsoleAsset): FastifyReply {
  reply
    .header('cache-control', 'public, max-age=31536000, immutable')
    .header('content-type', asset.contentType)
    .header('cross-origin-resource-policy', 'same-origin');
  return sendEncoded(request, reply, asset);
}
