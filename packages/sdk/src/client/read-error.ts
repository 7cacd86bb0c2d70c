// Turns an error response, of the service or of its token endpoint (RFC 6749 §5.2), into an error.

import { FlaghoistError, type Violation } from '../flaghoist-error.ts';
import { readText } from './read-text.ts';

/** A body with all mistakes of a request. */
const errorBytesMax = 16 * 1024 * 1024;

/** `operation` opens the message: `PUT /ws/rest/Voyage/1007`. `secret` is masked. */
export async function readError(
  { operation, origin, secret }: { operation: string; origin: string; secret: string | undefined },
  response: Response,
): Promise<FlaghoistError> {
  const { status, headers } = response;
  const { message, error_description, error, violations } = parseMembers(
    mask(await readText(response, errorBytesMax), secret),
  );
  const description = textOf(error_description);
  // A proxy may answer JSON, too: `{"error":"Not Found"}`. The token endpoint always describes its errors.
  const tokenError = operation.endsWith('/oauth/token') && description && textOf(error);
  const code = headers.get('flaghoist-error') || tokenError || 'unknownAnswer';
  const reason = textOf(message) ?? description ?? reasonOf(response, origin);
  return new FlaghoistError(code, `${operation} answered ${status} ${code}: ${reason}`, {
    status,
    violations: Array.isArray(violations) ? (violations as Violation[]) : undefined,
    requestId: headers.get('flaghoist-request-id') ?? undefined,
    retryAfterMs: readRetryAfter(headers),
  });
}

function reasonOf({ status, type, headers }: Response, origin: string): string {
  const isRedirect = type === 'opaqueredirect' || (status >= 300 && status < 400);
  if (!isRedirect) return `The response is not from Flaghoist. Is ${origin} its address, and what is between?`;
  const target = originOf(headers.get('location'), origin);
  return `It redirects${target === undefined ? '' : ` to ${target}`}. Use the final address as \`url\`.`;
}

/** Nothing else of the address: a query may contain a secret. */
function originOf(location: string | null, base: string): string | undefined {
  try {
    return location === null ? undefined : new URL(location, base).origin;
  } catch {
    return undefined;
  }
}

/** Seconds, or a date (RFC 9110 §10.2.3), which is compared with the clock of the service. */
function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const durationMs = /^\d+$/.test(value)
    ? Number(value) * 1000
    : Date.parse(value) - Date.parse(headers.get('date') ?? '');
  return durationMs >= 0 ? durationMs : undefined;
}

/** Empty if the text is not a JSON object. */
function parseMembers(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}

/** As it stands in JSON. */
function mask(text: string, secret: string | undefined): string {
  return secret ? text.replaceAll(JSON.stringify(secret).slice(1, -1), '***') : text;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
