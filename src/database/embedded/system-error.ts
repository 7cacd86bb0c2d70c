// Tells errors of the operating system apart by their code, and puts those that a data folder can cause into words
// for the operator.

import { OperatorError } from '../../errors.ts';

export function hasErrorCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** An error that came up while working in `folder`, as the operator should read it. */
export function explainFolderError(folder: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const problem = folderProblems[code];
  return problem === undefined ? error : new OperatorError(describeProblem(folder, problem), { cause: error });
}

/** The same for a program that only prints what went wrong; undefined if its words name no such problem. */
export function explainFolderMessage(folder: string, output: string): string | undefined {
  const problem = Object.values(folderProblems).find(({ wording }) => output.includes(wording));
  return problem && describeProblem(folder, problem);
}

interface FolderProblem {
  /** How `strerror` puts it, which is what PostgreSQL prints. */
  wording: string;
  remedy: string;
}

const elsewhere = 'or set FLAGHOIST_DATA_DIR to another folder';
const denied = `run Flaghoist as the user who owns the folder, ${elsewhere}`;

const folderProblems: Record<string, FolderProblem> = {
  ENOSPC: {
    wording: 'No space left on device',
    remedy: `free some space (a new database takes about 50 MB), ${elsewhere}`,
  },
  EDQUOT: { wording: 'Disk quota exceeded', remedy: `free some space, ${elsewhere}` },
  EROFS: { wording: 'Read-only file system', remedy: `make it writable, ${elsewhere}` },
  EACCES: { wording: 'Permission denied', remedy: denied },
  EPERM: { wording: 'Operation not permitted', remedy: denied },
  ENOTDIR: { wording: 'Not a directory', remedy: 'set FLAGHOIST_DATA_DIR to a folder' },
  EEXIST: { wording: 'File exists', remedy: 'set FLAGHOIST_DATA_DIR to a folder' },
};

function describeProblem(folder: string, { wording, remedy }: FolderProblem): string {
  return `The data folder ${folder} cannot be used: ${wording}. To go on, ${remedy}.`;
}
