// The error that this package throws for problems that the operator can solve. Its message is written for the operator:
// what is wrong, where, and what to do. The first line is the explanation; the output of PostgreSQL may follow.

export class EmbeddedServerError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
