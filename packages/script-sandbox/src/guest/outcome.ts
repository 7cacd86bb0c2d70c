// The outcome of a call as the script engine returns it: plain data, with positions as the engine counts them.

export type Outcome =
  | {
      isTrue: boolean;
      subject?: string | undefined;
      body?: { kind: 'text' | 'json'; text: string };
      log?: string[];
    }
  /** A complete sentence. */
  | { problem: string; log?: string[] }
  /** The script's own error. `isDoubtful`: the engine may be in an inconsistent state. */
  | { error: string; stack: string; isDoubtful: boolean; log?: string[] };
