// When a subscription is notified: always, or if an expression is true.

import { useMemo } from 'preact/hooks';
import { Button } from '../../../../elements/button.tsx';
import { CodeEditor } from '../../../../elements/code/code-editor.tsx';
import { request } from '../../../../service/request.ts';
import { eventTypesOf } from '../../draft/draft.ts';
import { type EditorForm, typeOf } from '../../draft/form.ts';
import { type ExpressionError, useExpressionErrors } from './expression-errors.ts';

interface WhenSectionProps {
  form: EditorForm;
  /** A part of the expression to point at. */
  pointed: { from: number; to: number } | undefined;
}

export function WhenSection({ form, pointed }: WhenSectionProps) {
  const { draft, change, errorOf } = form;
  const eventTypes = eventTypesOf(draft.events);
  const type = typeOf(form);
  const errors = useExpressionErrors(type ? eventTypes : [], draft.expression);
  const complete = useMemo(() => completer(eventTypes), [eventTypes.join()]);
  if (!type)
    return (
      <p class="faint">
        {eventTypes.length === 0
          ? 'Choose a type of objects first.'
          : 'Always. An expression needs event types of one type of objects.'}
      </p>
    );
  const message = errors.length === 0 ? errorOf('expression') : undefined;
  return (
    <div class="field">
      <CodeEditor
        key={type.name}
        label="Expression"
        value={draft.expression}
        onInput={(expression) => change({ expression })}
        language="expression"
        placeholder="Always. Or a condition, such as: voyageStatus = FIN && old.voyageStatus != FIN"
        mistakes={errors}
        isInvalid={errors.length > 0 || message !== undefined}
        pointed={pointed}
        complete={complete}
      />
      <div role="status">
        {errors.map((error) => (
          <ErrorLine key={`${error.from} ${error.message}`} error={error} form={form} />
        ))}
        {message && <p class="field-error">{message}</p>}
      </div>
      <p class="hint">
        Attributes of {type.name}, <code>old.</code> for the value before, or Java over <code>svcObject</code> and{' '}
        <code>oldSvcObject</code>. Ctrl-Space lists what fits.
      </p>
    </div>
  );
}

function ErrorLine({ error, form: { draft, change } }: { error: ExpressionError; form: EditorForm }) {
  const { message, from, to, suggestion } = error;
  const correct = () =>
    change({ expression: draft.expression.slice(0, from) + suggestion + draft.expression.slice(to) });
  return (
    <p class="field-error">
      {message}{' '}
      {suggestion !== null && (
        <Button kind="quiet" onClick={correct}>
          Use {suggestion}
        </Button>
      )}
    </p>
  );
}

function completer(eventTypes: readonly string[]) {
  return (expression: string, offset: number) =>
    request<{
      from: number;
      completions: { label: string; kind: string; detail: string; insert: string; description: string }[];
    }>('/WebhookSubscription/completions', { method: 'POST', body: { eventTypes, expression, offset } });
}
