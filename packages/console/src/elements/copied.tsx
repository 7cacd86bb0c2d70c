// Keys, ids and other short values in mono. A click copies them.

import { notify, notifyError } from './notices.tsx';

export async function copyText(text: string, what = 'Copied.'): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify(what);
  } catch {
    notifyError(new Error('The browser does not allow copying here. Select the text instead.'));
  }
}

export function Copied({ text, label }: { text: string | number; label?: string }) {
  return (
    <button
      type="button"
      class="copied mono"
      title={label ?? 'Copy'}
      onClick={(event) => {
        event.stopPropagation();
        copyText(String(text));
      }}
    >
      {text}
    </button>
  );
}

/** A block of code or of a body, with a button that copies it. */
export function CodeBlock({ text, label }: { text: string; label?: string }) {
  return (
    <div class="code-block">
      <button type="button" class="button quiet" onClick={() => copyText(text)}>
        Copy
      </button>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <pre tabIndex={0} role="region" aria-label={label ?? 'Text'}>
        <code>{text}</code>
      </pre>
    </div>
  );
}
