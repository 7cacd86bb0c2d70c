// The client with which a run calls the service. The service creates it from its settings when its database is empty.

import { request } from 'undici';

export const clientId = 'measuring-client';
const clientSecret = 'known-to-everybody-and-good-for-nothing-else';

/** For the environment of the service. */
export const clientSettings = {
  FLAGHOIST_BOOTSTRAP_CLIENT_ID: clientId,
  FLAGHOIST_BOOTSTRAP_CLIENT_SECRET: clientSecret,
};

export const clientCredentials = { client_id: clientId, client_secret: clientSecret };

/** The body for `/oauth/token`. */
export const tokenRequest = {
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    ...clientCredentials,
    audience: 'https://flaghoist.dev',
    grant_type: 'client_credentials',
  }),
};

/** The headers of every request; valid for a day, also after a restart. */
export async function authorize(origin: string): Promise<{ authorization: string }> {
  const { statusCode, body } = await request(`${origin}/oauth/token`, { method: 'POST', ...tokenRequest });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`The service gives no token: status ${statusCode} ${text}`);
  return { authorization: `Bearer ${(JSON.parse(text) as { access_token: string }).access_token}` };
}
