// Sends statements to a server over a new connection, and returns the result within a time limit. Leaves nothing open.

import { DatabaseClient } from './database-client.ts';
import { type BatchedStatement, type Row, runBatch } from './statement-batch.ts';

export type ProbeResult =
  | { kind: 'answered'; answers: Row[][] }
  | { kind: 'failed'; error: unknown }
  | { kind: 'silent' };

export interface Probe {
  result: Promise<ProbeResult>;
  /** Stops waiting; the result is `silent`. */
  cancel(): void;
}

/** `timeoutMs`: the limit for connecting and for the answers together. */
export function probeServer(url: string, statements: readonly BatchedStatement[], timeoutMs: number): Probe {
  let client: DatabaseClient | undefined;
  let isSilent = false;
  const cancel = () => {
    isSilent = true;
    client?.cutOff();
  };
  const timer = setTimeout(cancel, timeoutMs);
  const ask = async (): Promise<ProbeResult> => {
    try {
      // Reads the files that the URL names, and fails if it cannot.
      client = new DatabaseClient({ connectionString: url, application_name: 'flaghoist probe' });
      await client.connect();
      return { kind: 'answered', answers: await runBatch(client, statements, timeoutMs) };
    } catch (error) {
      return isSilent ? { kind: 'silent' } : { kind: 'failed', error };
    } finally {
      clearTimeout(timer);
      client?.cutOff();
    }
  };
  return { result: ask(), cancel };
}
