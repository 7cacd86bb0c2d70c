// Tries a script with a real object, as it is typed or as it is saved: what it decides, what it writes to its log, and
// what would be sent.

import { useState } from 'preact/hooks';
import { Button } from '../../elements/button.tsx';
import { CodeBlock } from '../../elements/copied.tsx';
import { Choice, TextField } from '../../elements/field.tsx';
import { Failure, Loading } from '../../elements/loading.tsx';
import { Section } from '../../elements/page.tsx';
import { ReferenceField } from '../../elements/reference-field.tsx';
import { loadModel, type Model } from '../../model/model.ts';
import { request } from '../../service/request.ts';
import { useLoaded } from '../../service/use-loaded.ts';
import type { AlertScript } from './alert-script.ts';

interface Tried {
  isNotified: boolean;
  message: string;
  log: string[] | null;
  body: string | null;
}

interface TryProps {
  script: AlertScript;
  /** Undefined: what is saved is run. */
  typed: string | undefined;
}

export function TryScript(props: TryProps) {
  const model = useLoaded(loadModel, []);
  return (
    <Section title="Try it">
      <Loading of={model}>{(loaded) => <TryForm {...props} model={loaded} />}</Loading>
    </Section>
  );
}

function TryForm({ script, typed, model }: TryProps & { model: Model }) {
  const types = model.types.filter(({ makesEvents }) => makesEvents);
  const [type, setType] = useState(types[0]?.name ?? '');
  const [object, setObject] = useState('');
  const [values, setValues] = useState('{}');
  const [result, setResult] = useState<Tried>();
  const [error, setError] = useState<unknown>();
  const run = async () => {
    setError(undefined);
    try {
      const subscription = {
        eventType: `${type}.U`,
        channelInfo: { channelType: 'STREAM' },
        dlpAlertScript: script.code,
        scriptParameterValues: JSON.parse(values),
        useMsg: true,
      };
      const body = { subscription, objectKey: Number(object), script: typed };
      setResult(await request<Tried>('/WebhookSubscription/test', { method: 'POST', body }));
    } catch (reason) {
      setResult(undefined);
      setError(reason instanceof SyntaxError ? new Error('The parameter values are not JSON.') : reason);
    }
  };
  return (
    <>
      <div class="question">
        <Choice
          label="Type"
          value={type}
          onChange={(chosen) => {
            setType(chosen);
            setObject('');
          }}
          choices={types.map(({ name }) => ({ value: name, label: name }))}
        />
        <ReferenceField key={type} label="Object" type={model.byName.get(type)} value={object} onInput={setObject} />
        <TextField
          label="Parameter values"
          isMono
          value={values}
          onInput={setValues}
          hint='JSON, such as {"days": 3}'
        />
      </div>
      <Button onClick={run} disabled={object === ''}>
        {typed === undefined ? 'Run the saved script' : 'Run unsaved script'}
      </Button>
      {error !== undefined && <Failure error={error} />}
      {result && (
        <div role="status">
          <p>{result.isNotified ? 'It notifies.' : `It does not notify: ${result.message}`}</p>
          {result.log && result.log.length > 0 && <CodeBlock label="Log" text={result.log.join('\n')} />}
          {result.body !== null && <CodeBlock label="What would be sent" text={result.body} />}
        </div>
      )}
    </>
  );
}
