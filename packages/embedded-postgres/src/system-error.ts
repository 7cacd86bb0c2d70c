// Recognises errors of the operating system by their code, and explains those that a data folder can cause to the
// operator.

import { EmbeddedServerError } from './embedded-server-error.ts';

export function hasErrorCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** Explains an error that occurred while working in `folder`; returns any other error as it is. */
export function explainFolderError(folder: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const problem = folderProblems[code];
  return problem === undefined ? error : new EmbeddedServerError(describeProblem(folder, problem), { cause: error });
}

/** The same for the output of a program; undefined if it names no such problem. */
export function explainFolderMessage(folder: string, output: string): string | undefined {
  const problem = Object.values(folderProblems).find(({ wording }) => output.includes(wording));
  return problem && describeProblem(folder, problem);
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
