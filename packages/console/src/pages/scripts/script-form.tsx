// The form of a script. The service checks it as a whole in its sandbox, so mistakes appear when it is saved.

import { useState } from 'preact/hooks';
import { Button } from '../../elements/button.tsx';
import { CodeEditor } from '../../elements/code/code-editor.tsx';
import { confirmAction } from '../../elements/dialog.tsx';
import { Field, TextField } from '../../elements/field.tsx';
import { notify } from '../../elements/notices.tsx';
import { navigate } from '../../routing/location.ts';
import { request } from '../../service/request.ts';
import { useViolations } from '../../service/use-violations.ts';
import { hasScope } from '../../session/session.ts';
import { viewedUser } from '../../session/viewed-user.ts';
import type { AlertScript } from './alert-script.ts';
import { ParameterTable } from './parameter-table.tsx';
import './scripts.css';
import { TryScript } from './try-script.tsx';

export function ScriptForm({ script, onSaved }: { script: AlertScript; onSaved(): void }) {
  const [draft, setDraft] = useState(script);
  const { errorOf, attempt } = useViolations(['code', 'name', 'description', 'body', 'parameters']);
  const isReadOnly = !hasScope('admin') || viewedUser.value !== undefined;
  const isNew = script.key === 0;
  const set = (changes: Partial<AlertScript>) => setDraft({ ...draft, ...changes });
  const save = () =>
    attempt(async () => {
      const { key, fields, ...body } = draft;
      const saved = isNew
        ? await request<AlertScript>('/AlertScript', { method: 'POST', body })
        : await request<AlertScript>(`/AlertScript/${key}`, { method: 'PUT', body });
      notify(`Script ${saved.code} is saved. Changes from now on are judged by it.`);
      if (isNew) navigate(`/scripts/${saved.key}`);
      else onSaved();
    });
  const remove = async () => {
    const isConfirmed = await confirmAction({
      title: `Delete script ${script.code}`,
      text: 'Subscriptions that use it block this. It cannot be undone.',
      action: 'Delete',
    });
    if (!isConfirmed) return;
    await request(`/AlertScript/${script.key}`, { method: 'DELETE' });
    notify(`Script ${script.code} is deleted.`);
    navigate('/scripts');
  };
  return (
    <form class="form script-form" onSubmit={(event) => event.preventDefault()}>
      <TextField label="Code" value={draft.code} onInput={(code) => set({ code })} error={errorOf('code')} isRequired />
      <TextField label="Name" value={draft.name} onInput={(name) => set({ name })} error={errorOf('name')} isRequired />
      <TextField
        label="Description"
        value={draft.description ?? ''}
        onInput={(text) => set({ description: text || null })}
        error={errorOf('description')}
        rows={2}
      />
      <Field
        label="JavaScript"
        hint="Returns true or false, or sets message.subject and message.body. console.log writes to the log of the dry run."
        error={errorOf('body')}
      >
        {() => (
          <CodeEditor
            label="JavaScript"
            language="javascript"
            rows={12}
            value={draft.body}
            isReadOnly={isReadOnly}
            isInvalid={errorOf('body') !== undefined}
            onInput={(body) => set({ body })}
          />
        )}
      </Field>
      <ParameterTable
        parameters={draft.parameters ?? []}
        isReadOnly={isReadOnly}
        onChange={(parameters) => set({ parameters })}
        error={errorOf('parameters')}
      />
      {!isReadOnly && (
        <div class="actions">
          <Button kind="primary" type="submit" onClick={save}>
            Save
          </Button>
          {!isNew && (
            <Button kind="danger" onClick={remove}>
              Delete
            </Button>
          )}
        </div>
      )}
      {!isNew && hasScope('webhook') && (
        <TryScript script={script} typed={isReadOnly || draft.body === script.body ? undefined : draft.body} />
      )}
    </form>
  );
}
