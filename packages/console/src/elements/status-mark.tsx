// The status of a notification or subscription: a symbol, a word and a colour, never the colour alone.

type Tone = 'ok' | 'warn' | 'bad' | 'wait' | 'quiet';

const marks: Readonly<Record<string, { symbol: string; word: string; tone: Tone }>> = {
  DELIVERED: { symbol: '✓', word: 'Delivered', tone: 'ok' },
  FAILED: { symbol: '✕', word: 'Failed', tone: 'bad' },
  PENDING: { symbol: '◌', word: 'Pending', tone: 'wait' },
  RETRYING: { symbol: '◌', word: 'Retrying', tone: 'warn' },
  THROTTLED: { symbol: '⏸', word: 'Throttled', tone: 'wait' },
  UNACKNOWLEDGED: { symbol: '◍', word: 'Waiting for acknowledgement', tone: 'wait' },
  ACTIVE: { symbol: '✓', word: 'Active', tone: 'ok' },
  FAILING: { symbol: '!', word: 'Failing', tone: 'warn' },
  DEACTIVATED: { symbol: '✕', word: 'Deactivated', tone: 'bad' },
  UNSUBSCRIBED: { symbol: '–', word: 'Unsubscribed', tone: 'quiet' },
  RUNNING: { symbol: '◌', word: 'Running', tone: 'wait' },
  DONE: { symbol: '✓', word: 'Done', tone: 'ok' },
  CANCELLED: { symbol: '–', word: 'Cancelled', tone: 'quiet' },
};

/** `detail`: for example the time until the next attempt. */
export function StatusMark({ status, detail }: { status: string; detail?: string | undefined }) {
  const { symbol, word, tone } = marks[status] ?? { symbol: '·', word: status, tone: 'quiet' };
  return (
    <span class={`status ${tone}`}>
      <span aria-hidden="true">{symbol}</span> {word}
      {detail && <span class="faint"> {detail}</span>}
    </span>
  );
}
