// The error that this package throws for problems that the operator can solve, and what turns errors of the operating
// system and of PostgreSQL programs into one. Its message says what is wrong, where, and what to do. The first line is
// the explanation; the output of PostgreSQL may follow.

export class EmbeddedServerError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

export function hasErrorCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** Explains an error that occurred while working in `folder`; returns any other error as it is. */
export function explainFolderError(folder: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const problem = folderProblems[code];
  return problem === undefined ? error : new EmbeddedServerError(describeProblem(folder, problem), { cause: error });
}

/** Explains the last output of a PostgreSQL program that failed to do `what`. */
export function explainOutput(what: string, folder: string, lines: readonly string[]): EmbeddedServerError {
  const output = lines.join('\n');
  const problem = Object.values(folderProblems).find(({ wording }) => output.includes(wording));
  const explanation = problem
    ? describeProblem(folder, problem)
    : `The embedded PostgreSQL does not work in the data folder ${folder}: ${what}. ` +
      'If the output of PostgreSQL below does not help, use a separate PostgreSQL server.';
  return new EmbeddedServerError([explanation, 'PostgreSQL said:', ...lines.map((line) => `  ${line}`)].join('\n'));
}

interface FolderProblem {
  /** The text of `strerror`, which PostgreSQL prints. */
  wording: string;
  remedy: string;
}

const elsewhere = 'or use another data folder';
const fileInTheWay = `move the file away, ${elsewhere}`;
const denied = `run this program as the user who owns the folder, ${elsewhere}`;

const folderProblems: Record<string, FolderProblem> = {
  ENOSPC: {
    wording: 'No space left on device',
    remedy: `free some space (a new database takes about 50 MB), ${elsewhere}`,
  },
  EDQUOT: { wording: 'Disk quota exceeded', remedy: `free some space, ${elsewhere}` },
  EROFS: { wording: 'Read-only file system', remedy: `make it writable, ${elsewhere}` },
  EACCES: { wording: 'Permission denied', remedy: denied },
  EPERM: { wording: 'Operation not permitted', remedy: denied },
  ENOTDIR: { wording: 'Not a directory', remedy: fileInTheWay },
  EEXIST: { wording: 'File exists', remedy: fileInTheWay },
};

function describeProblem(folder: string, { wording, remedy }: FolderProblem): string {
  return `The data folder ${folder} cannot be used: ${wording}. To continue, ${remedy}.`;
}
