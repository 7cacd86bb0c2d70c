// An error that the service has answered, or that no answer came, in words for the person at the page.

export interface Violation {
  path: string;
  message: string;
}

export class ServiceError extends Error {
  /** 0: no answer. */
  readonly status: number;
  /** The name of the error, such as `stale`. */
  readonly code: string | undefined;
  readonly violations: readonly Violation[];
  /** To find the request in the log of the service. */
  readonly requestId: string | undefined;

  constructor(
    message: string,
    parts: {
      status: number;
      code?: string | undefined;
      violations?: readonly Violation[];
      requestId?: string | undefined;
    },
  ) {
    super(message);
    this.status = parts.status;
    this.code = parts.code;
    this.violations = parts.violations ?? [];
    this.requestId = parts.requestId;
  }
}

interface ErrorBody {
  message?: string;
  violations?: Violation[];
}

export async function readError(response: Response): Promise<ServiceError> {
  const body = (await response.json().catch(() => undefined)) as ErrorBody | undefined;
  return new ServiceError(body?.message ?? `The service answered ${response.status}.`, {
    status: response.status,
    code: response.headers.get('flaghoist-error') ?? undefined,
    violations: body?.violations ?? [],
    requestId: response.headers.get('flaghoist-request-id') ?? undefined,
  });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
