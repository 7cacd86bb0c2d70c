// A test message to the receiver of a subscription, and what the receiver answered.

import { useState } from 'preact/hooks';
import { durationText } from '../../elements/time.tsx';
import { request } from '../../service/request.ts';

export interface PingAnswer {
  isDelivered: boolean;
  url: string;
  durationMs: number;
  statusCode: number | null;
  answer: string | null;
  errorMessage: string | null;
}

export function usePing(key: number): { ping(): Promise<void>; result: PingAnswer | undefined } {
  const [result, setResult] = useState<PingAnswer | undefined>(undefined);
  return {
    result,
    ping: async () => {
      setResult(undefined);
      setResult(await request<PingAnswer>(`/WebhookSubscription/${key}/ping`, { method: 'POST', body: {} }));
    },
  };
}

export function PingResult({ result }: { result: PingAnswer }) {
  const { isDelivered, url, durationMs, statusCode, answer, errorMessage } = result;
  return (
    <div class={isDelivered ? 'ping-result' : 'ping-result failed'} role="status">
      <p>
        <span class={isDelivered ? 'ok' : 'bad'}>{isDelivered ? '✓ Delivered' : '✕ Not delivered'}</span> to {url} in{' '}
        {durationText(durationMs)}
        {statusCode !== null && `, answered ${statusCode}`}.
      </p>
      {errorMessage && <p>{errorMessage}</p>}
      {answer && (
        <pre>
          <code>{answer}</code>
        </pre>
      )}
    </div>
  );
}
