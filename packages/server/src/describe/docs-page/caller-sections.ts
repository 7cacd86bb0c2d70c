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
<p>Every request under <code>${restPath}</code> carries a token. Put the id and the secret of your client into this, and paste it into a
terminal:</p>
${renderCommand(tokenCommand(context))}
<p>The token is in <code>$TOKEN</code> now, taken from this answer:</p>
${renderJson(tokenExample(context))}
<p>A token is good for ${lifetimeSeconds} seconds. <strong>Keep it and use it for all requests</strong>; when the answer is a 401 with the message
<code>Token expired.</code>, get a new one. The same as a form, and the client by HTTP Basic, works as well (RFC 6749). The first
client of an installation is made when it starts; an admin creates others at <a href="#type-ApiClient">ApiClient</a>.</p>`;
}

function gettingExternalToken({ tokens }: DescriptionContext, issuerUrl: string): Html {
  return html`
<p>Every request under <code>${restPath}</code> carries a token. Tokens come from the issuer <code>${issuerUrl}</code>; where it gives them is said at
<code>${metadataUrl(issuerUrl)}</code>. Ask it for one with the audience <code>${tokens.audience}</code>, and put it here:</p>
${renderCommand("TOKEN='…'")}
<p><strong>Keep it and use it for all requests</strong>; when the answer is a 401 with the message <code>Token expired.</code>, get a new one. The
client has to be known here as an <a href="#type-ApiClient">ApiClient</a> with the same id; what it may do is said there.</p>`;
}

export function scopes(): Html {
  const rows = Object.entries(scopeTable).map(
    ([scope, { meaning }]) => html`<tr><td><code>${scope}</code></td><td>${proseOf(meaning)}</td></tr>`,
  );
  return html`
<p>What a client may do is granted to it by scopes. A request that lacks the one it needs is a 403 that names it. A token has all scopes of
its client, or those that were asked for with <code>scope</code>.</p>
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
<p>A request says in the header <code>API-Version</code> which version of the API it speaks; without it the <code>apiVersion</code> of its user
counts, else the newest. Every version from ${oldestVersion} to ${newestVersion} is known; one between two rows has what the row above it has.
What came with a later version is absent from answers, and a 400 where it is sent.</p>
${renderRequest(context.baseUrl, {
  path: `${restPath}/Voyage`,
  parameters: ['limit=5'],
  headers: { 'API-Version': context.apiVersion },
})}
<table>
<thead><tr><th>Version</th><th>What came with it</th></tr></thead>
<tbody>${rows}</tbody>
</table>
<p>All versions stay supported: nothing is removed or changes its meaning without <code>Deprecation</code> and <code>Sunset</code> headers a
year ahead.</p>`;
}
