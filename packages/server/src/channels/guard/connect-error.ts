// Why there is no connection, where the error of the socket does not tell.

/**
 * `no address`, `no connection` and `no tunnel` are failures of the receiver. `no resolver` and `no proxy` are faults
 * on our side.
 */
export type ConnectProblem = 'no address' | 'no resolver' | 'no connection' | 'no tunnel' | 'no proxy' | 'given up';

export class ConnectError extends Error {
  readonly problem: ConnectProblem;

  constructor(problem: ConnectProblem, message: string = problem) {
    super(message);
    this.problem = problem;
  }
}
