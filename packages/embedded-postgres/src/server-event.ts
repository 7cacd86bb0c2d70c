// Everything that this package reports while it works. It writes no log of its own, and no event contains the password.

export type ServerEvent =
  /** The data folder has no database yet: initdb creates one. */
  | { kind: 'database.initialising'; folder: string }
  /** The server cannot start yet; the start continues as soon as it can. */
  | { kind: 'database.waiting'; reason: string }
  /** The server ended unexpectedly, and is restarted. */
  | { kind: 'database.exited'; exit: string }
  | { kind: 'database.restarted'; startupMs: number }
  /** A line that the server printed. */
  | { kind: 'database.message'; text: string };

export type OnEvent = (event: ServerEvent) => void;
