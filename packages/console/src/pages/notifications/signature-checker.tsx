// Checks a signature that a receiver got against the stored bytes, and says what is wrong if it does not match.

import { useState } from 'preact/hooks';
import { Button } from '../../elements/button.tsx';
import { Copied } from '../../elements/copied.tsx';
import { TextField } from '../../elements/field.tsx';
import { messageOf } from '../../service/service-error.ts';
import { timestampOf } from './message-headers.ts';
import type { Notification } from './notification.ts';
import { readSignatures, type Signed, signatureOf } from './signature.ts';

interface Verdict {
  isValid: boolean;
  text: string;
  signature?: string;
}

export function SignatureChecker({ notification, body }: { notification: Notification; body: string }) {
  const sent = notification.attemptLog?.at(-1);
  const [secret, setSecret] = useState('');
  const [received, setReceived] = useState('');
  const [timestamp, setTimestamp] = useState(sent ? String(timestampOf(sent)) : '');
  const [verdict, setVerdict] = useState<Verdict | undefined>(undefined);
  const check = async () => {
    const signed = { id: notification.id, timestamp: Number(timestamp), body };
    setVerdict(await judge(secret, received, signed).catch((error) => ({ isValid: false, text: messageOf(error) })));
  };
  return (
    <details class="signature-checker">
      <summary>Check a signature</summary>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          check();
        }}
      >
        <TextField
          label="Signing secret"
          type="password"
          value={secret}
          onInput={setSecret}
          isRequired
          isMono
          placeholder="whsec_…"
          hint="It stays in this page and is sent nowhere."
        />
        <TextField
          label="webhook-timestamp"
          value={timestamp}
          onInput={setTimestamp}
          isRequired
          isMono
          hint="As the receiver got it. At first that of the last attempt."
        />
        <TextField
          label="webhook-signature"
          value={received}
          onInput={setReceived}
          isMono
          placeholder="v1,…"
          hint="As the receiver got it. Without it, the right one is shown."
        />
        <Button type="submit" kind="primary" onClick={() => undefined}>
          Check
        </Button>
      </form>
      <div role="status">
        {verdict && (
          <div class={verdict.isValid ? 'verdict ok' : 'verdict bad'}>
            <p>{verdict.text}</p>
            {verdict.signature && <Copied text={verdict.signature} />}
          </div>
        )}
      </div>
    </details>
  );
}

async function judge(secret: string, received: string, signed: Signed): Promise<Verdict> {
  if (!Number.isSafeInteger(signed.timestamp) || signed.timestamp <= 0)
    return { isValid: false, text: 'The timestamp is a number of seconds since 1970.' };
  const signature = await signatureOf(secret, signed);
  const given = readSignatures(received);
  if (received.trim() === '')
    return { isValid: true, text: 'With this secret and timestamp, the signature of the stored bytes is:', signature };
  if (given.length === 0) return { isValid: false, text: 'A signature has the form “v1,…”.' };
  if (given.includes(signature))
    return { isValid: true, text: '✓ The signature is valid for the stored bytes and this secret.' };
  return { isValid: false, text: `✕ ${await explain(secret, given, signed)} The right signature is:`, signature };
}

/** The usual mistakes of receivers. */
async function explain(secret: string, given: readonly string[], signed: Signed): Promise<string> {
  const written = rewritten(signed.body);
  if (written !== undefined && given.includes(await signatureOf(secret, { ...signed, body: written })))
    return 'This is a signature of the body after it was parsed and written again. Use the bytes as received.';
  return (
    'The signature does not match. Either the secret is another one, or the timestamp is, or the receiver changed ' +
    'the body before it checked.'
  );
}

function rewritten(body: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return undefined;
  }
}
