// The body that would be sent for a change, as it is and with its size.

import { CodeBlock } from '../../../../elements/copied.tsx';
import { Time } from '../../../../elements/time.tsx';
import { indentJson } from '../../indent-json.ts';
import type { RecentChange, SentBody } from './use-recent.ts';

export function BodyView({ change, body }: { change: RecentChange; body: SentBody }) {
  const { text, bytes, contentType, subject } = body;
  return (
    <>
      <p>
        <strong>What is sent</strong>{' '}
        <span class="faint">
          for {change.event} of <Time at={change.occurredAt} />: {contentType}, {sizeText(bytes)}
        </span>
      </p>
      {subject && <p>Subject: {subject}</p>}
      <CodeBlock text={formatted(text)} label="Body" />
    </>
  );
}

/** JSON is indented for the reader; the service sends it without spaces. */
function formatted(body: string): string {
  if (!/^\s*[{[]/.test(body)) return body;
  try {
    return indentJson(body);
  } catch {
    return body;
  }
}

function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
