// The sections of the guide for callers: how to get a token, what its scopes allow, and how to choose an API version.

import { newestVersion, oldestVersion, versionTable } from '../../model/api-versions.ts';
import { scopeTable } from '../../model/scopes.ts';
import { restPath } from '../../paths.ts';
import { type DescriptionContext, metadataUrl } from '../openapi/description-context.ts';
import { tokenCommand } from '../openapi/token-command.ts';
import { tokenExample } from '../openapi/token-paths.ts';
import { renderCommand, renderJson, renderRequest } from './code-blocks.ts';
import { type Html, html, proseOf } from './html.ts';
import { pageLink } from './page-links.ts';

export function gettingToken(context: DescriptionContext): Html {
  const { issuerUrl, lifetimeSeconds } = context.tokens;
  if (issuerUrl !== undefined) return gettingExternalToken(context, issuerUrl);
  return html`
<p>Every request under <code>${restPath}</code> needs a token. Put the id and the secret of your client into this
command, and paste it into a terminal:</p>
${renderCommand(tokenCommand(context))}
<p>The token from this response is now in <code>$TOKEN</code>:</p>
${renderJson(tokenExample(context))}
<p>A token is valid for ${lifetimeSeconds} seconds. <strong>Use the same token for all requests.</strong> When a
response is a 401 with the message <code>Token expired.</code>, get a new one. The request may also be a form, and the
client may authenticate with HTTP Basic (RFC 6749). The first client of an installation is created when the service
starts. An admin creates others at <a href="#type-ApiClient">ApiClient</a>.</p>`;
}

function gettingExternalToken({ tokens }: DescriptionContext, issuerUrl: string): Html {
  return html`
<p>Every request under <code>${restPath}</code> needs a token. Tokens come from the issuer <code>${issuerUrl}</code>.
The token endpoint is listed at <code>${metadataUrl(issuerUrl)}</code>. Request a token with the audience
<code>${tokens.audience}</code>, and put it here:</p>
${renderCommand("TOKEN='…'")}
<p><strong>Use the same token for all requests.</strong> When a response is a 401 with the message
<code>Token expired.</code>, get a new one. This service must have an <a href="#type-ApiClient">ApiClient</a> with the
id of the issuer's client. The ApiClient defines what the client may do.</p>`;
}

export function scopes(): Html {
  const rows = Object.entries(scopeTable).map(
    ([scope, { meaning }]) => html`<tr><td><code>${scope}</code></td><td>${proseOf(meaning)}</td></tr>`,
  );
  return html`
<p>Scopes define what a client may do. A request that lacks a scope is rejected with a 403 that names the scope. A token
has all scopes of its client, or those that the token request selected with <code>scope</code>.</p>
<table>
<thead><tr><th>Scope</th><th>Meaning</th></tr></thead>
<tbody>${rows}</tbody>
</table>`;
}

export function versions(context: DescriptionContext): Html {
  const rows = versionTable.map(
    ({ version, addition }) =>
      html`<tr><td><a href="${pageLink(version)}">${version}</a></td><td>${proseOf(addition)}</td></tr>`,
  );
  return html`
<p>The request header <code>API-Version</code> selects the API version. Without the header, the <code>apiVersion</code>
of the user applies. If the user has none, the newest version applies. Every version from ${oldestVersion} to
${newestVersion} is valid. A version between two rows equals the row above it. Responses omit what a later version
added, and a request that sends it is rejected with 400.</p>
${renderRequest(context.baseUrl, {
  path: `${restPath}/Voyage`,
  parameters: ['limit=5'],
  headers: { 'API-Version': context.apiVersion },
})}
<table>
<thead><tr><th>Version</th><th>Additions</th></tr></thead>
<tbody>${rows}</tbody>
</table>
<p>All versions stay supported: nothing is removed or changes its meaning without <code>Deprecation</code> and
<code>Sunset</code> headers a year ahead.</p>`;
}
