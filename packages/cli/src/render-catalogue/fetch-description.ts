// Fetches the API description of a service. It is public: no token is needed.

import { CommandError } from '../command/command-error.ts';
import type { Description } from './description.ts';

/** `apiVersion`: default: the newest. */
export async function fetchDescription(url: string, apiVersion?: string): Promise<Description> {
  const query = apiVersion === undefined ? '' : `?version=${encodeURIComponent(apiVersion)}`;
  const address = `${url}/openapi.json${query}`;
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(address, { signal: AbortSignal.timeout(30_000) });
    body = await response.json();
  } catch (error) {
    const { message, cause } = error as { message: string; cause?: { message?: string } };
    throw new CommandError(`${address} cannot be read: ${cause?.message || message}`);
  }
  if (response.ok) return body as Description;
  const { message = `it answers ${response.status}` } = body as { message?: string };
  throw new CommandError(`${address} cannot be read: ${message}`);
}
