// The paths of the service, relative to its base URL.

export const restPath = '/ws/rest';
export const tokenPath = '/oauth/token';
export const consolePath = '/console';
export const consoleSessionPath = '/console/session';

/** Browsers do not send a fragment, so the code is in no log. */
export function consoleLinkUrl(baseUrl: string, code: string): string {
  return `${baseUrl}${consolePath}#code=${code}`;
}

/** For people. Contains nothing but the key. */
export function subscriptionPage(baseUrl: string, key: number): string {
  return `${baseUrl}${consolePath}/subscriptions/${key}`;
}

/** `POST /ws/rest/{Resource}/batch` creates all objects of an array, or none. */
export const batchName = 'batch';

/** For people: `self` needs a token, which a browser does not send. */
export function objectPage(baseUrl: string, type: string, key: number): string {
  return `${baseUrl}${consolePath}/objects/${type}/${key}`;
}
