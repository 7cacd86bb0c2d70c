// What is sent: as a tree, as it is, as a curl command, and whether a signature over it is valid.

import { Button } from '../../elements/button.tsx';
import { CodeBlock, copyText } from '../../elements/copied.tsx';
import { JsonTree } from '../../elements/json-tree.tsx';
import { Empty } from '../../elements/loading.tsx';
import { place, setQuery } from '../../routing/location.ts';
import { parseExactly } from '../../service/exact-json.ts';
import { curlCommand } from './curl-command.ts';
import { requestHeaders } from './message-headers.ts';
import type { Notification } from './notification.ts';
import { SignatureChecker } from './signature-checker.tsx';
import { useSubscriptionOf } from './subscription-of.ts';

export function BodyTab({ notification }: { notification: Notification }) {
  const subscription = useSubscriptionOf(notification).value;
  const { body, contentType, attemptLog, attempts } = notification;
  if (body === null) return <Empty>The body was too large, or is no longer kept.</Empty>;
  const tree = parseTree(body);
  const isRaw = tree === undefined || place.value.query.get('body') === 'raw';
  const copyCurl = () => {
    const attempt = attemptLog?.at(-1);
    const headers = requestHeaders(notification, { attempt, number: Math.max(attempts, 1), subscription });
    return copyText(curlCommand(subscription?.url ?? 'https://receiver.example/', headers, body));
  };
  return (
    <>
      <div class="toolbar">
        {tree !== undefined && (
          <div class="choice" role="group" aria-label="Form of the body">
            <Button pressed={!isRaw} onClick={() => setQuery({ body: undefined }, { replace: true })}>
              Tree
            </Button>
            <Button pressed={isRaw} onClick={() => setQuery({ body: 'raw' }, { replace: true })}>
              Raw
            </Button>
          </div>
        )}
        <Button onClick={copyCurl}>Copy as curl</Button>
        <span class="faint">
          {contentType}, {new TextEncoder().encode(body).length.toLocaleString()} bytes
        </span>
      </div>
      {isRaw ? <CodeBlock label="Body" text={body} /> : <JsonTree value={tree} />}
      <SignatureChecker notification={notification} body={body} />
    </>
  );
}

function parseTree(body: string): unknown {
  try {
    const value = parseExactly<unknown>(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
