// The keys that listen knows on a terminal.

export interface KeyActions {
  onResend(): void;
  onSkip(): void;
  onQuit(): void;
}

/** Returns a function that gives the terminal back. */
export function readKeys({ onResend, onSkip, onQuit }: KeyActions): () => void {
  const { stdin } = process;
  const take = (data: Buffer) => {
    for (const key of data.toString('latin1')) {
      if (key === 'r') onResend();
      else if (key === 's') onSkip();
      // Raw mode passes Ctrl+C and Ctrl+D as characters.
      else if (key === 'q' || key === '\u0003' || key === '\u0004') onQuit();
    }
  };
  stdin.setRawMode(true);
  stdin.on('data', take);
  stdin.resume();
  return () => {
    stdin.off('data', take);
    stdin.setRawMode(false);
    stdin.pause();
  };
}
