// A mistake that the user can fix. It is printed without a stack trace.

export class CommandError extends Error {
  /** 1: the command failed. 2: it was used wrongly, and nothing was done. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}

export function usageError(message: string): CommandError {
  return new CommandError(message, 2);
}
