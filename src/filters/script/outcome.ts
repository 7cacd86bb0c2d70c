// What came of a call, as the script engine tells it: data only, with places as the engine counts them.

export type Outcome =
  | {
      isTrue: boolean;
      subject?: string | undefined;
      body?: { kind: 'text' | 'json'; text: string };
      log?: string[];
    }
  /** A sentence that is complete. */
  | { problem: string; log?: string[] }
  /** The script's own error. Doubtful: the engine may not be sound any more. */
  | { error: string; stack: string; isDoubtful: boolean; log?: string[] };
