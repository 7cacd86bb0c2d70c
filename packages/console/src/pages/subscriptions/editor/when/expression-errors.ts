// The mistakes of an expression, found by the service after a pause in typing.

import { useEffect, useState } from 'preact/hooks';
import { request } from '../../../../service/request.ts';

export interface ExpressionError {
  message: string;
  from: number;
  to: number;
  /** What to write from `from` to `to` instead. */
  suggestion: string | null;
}

const pauseMs = 350;
const none: readonly ExpressionError[] = [];

interface Checked {
  expression: string;
  errors: readonly ExpressionError[];
}

/** `eventTypes`: all of one type, or empty. Those of a former text are not shown: their places are wrong. */
export function useExpressionErrors(eventTypes: readonly string[], expression: string): readonly ExpressionError[] {
  const [checked, setChecked] = useState<Checked>({ expression: '', errors: none });
  useEffect(() => {
    if (eventTypes.length === 0 || expression.trim() === '') {
      setChecked({ expression, errors: none });
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      const body = { eventTypes, expression };
      const answer = request<{ errors: ExpressionError[] }>('/WebhookSubscription/checkExpression', {
        method: 'POST',
        body,
        signal: abort.signal,
      });
      // What cannot be checked now is checked when the subscription is saved.
      const errors = await answer.then((value) => value.errors).catch(() => none);
      if (!abort.signal.aborted) setChecked({ expression, errors });
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [eventTypes.join(), expression]);
  return checked.expression === expression ? checked.errors : none;
}
