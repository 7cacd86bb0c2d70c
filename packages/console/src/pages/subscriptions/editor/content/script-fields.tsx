// The script that decides about notifications or writes their message, and the values of its parameters.

import { Check, Choice, TextField } from '../../../../elements/field.tsx';
import { parseTyped } from '../../../../service/exact-json.ts';
import { request } from '../../../../service/request.ts';
import { useLoaded } from '../../../../service/use-loaded.ts';
import type { EditorForm } from '../../draft/form.ts';

interface ScriptParameter {
  name: string;
  type: 'text' | 'number' | 'integer' | 'boolean' | 'dateTime';
  default?: unknown;
  required?: boolean;
  description?: string;
}

interface Script {
  code: string;
  name: string;
  description: string | null;
  parameters: ScriptParameter[] | null;
}

export function ScriptFields({ form }: { form: EditorForm }) {
  const { draft, change, errorOf } = form;
  const scripts = useLoaded(loadScripts, []);
  const all = scripts.value ?? [];
  const script = all.find(({ code }) => code === draft.script);
  if (all.length === 0 && draft.script === '') return null;
  return (
    <>
      <Choice
        label="Script"
        value={draft.script}
        choices={[
          { value: '', label: 'None' },
          ...all.map(({ code, name }) => ({ value: code, label: `${name} (${code})` })),
          ...(script || draft.script === '' ? [] : [{ value: draft.script, label: draft.script }]),
        ]}
        onChange={(code) => change({ script: code, parameters: {}, useMsg: code !== '' && draft.useMsg })}
        hint={script?.description ?? 'Decides whether a notification is sent, and can write its message.'}
        error={errorOf('dlpAlertScript') ?? errorOf('scriptParameterValues')}
      />
      {(script?.parameters ?? []).map((parameter) => (
        <ParameterField key={parameter.name} form={form} parameter={parameter} />
      ))}
      {draft.script !== '' && (
        <Check
          label="Send the message of the script"
          hint="instead of the usual body"
          isChecked={draft.useMsg}
          onChange={(useMsg) => change({ useMsg })}
        />
      )}
    </>
  );
}

function loadScripts(signal: AbortSignal): Promise<Script[]> {
  const fields = { code: '*', name: '*', description: '*', parameters: '*' };
  return request('/AlertScript', { query: { limit: 1000, sort: 'code(ASI)' }, fields, signal });
}

interface ParameterFieldProps {
  form: EditorForm;
  parameter: ScriptParameter;
}

function ParameterField({ form: { draft, change, errorOf }, parameter }: ParameterFieldProps) {
  const { name, type, required, description } = parameter;
  const value = draft.parameters[name] ?? parameter.default;
  const set = (next: unknown) => {
    const { [name]: _, ...others } = draft.parameters;
    change({ parameters: next === undefined ? others : { ...others, [name]: next } });
  };
  const error = errorOf(`scriptParameterValues.${name}`);
  if (type === 'boolean')
    return (
      <Check label={name} isChecked={value === true} onChange={set} {...(description ? { hint: description } : {})} />
    );
  return (
    <TextField
      label={name}
      value={value === undefined || value === null ? '' : String(value)}
      onInput={(text) => set(text === '' ? undefined : readValue(type, text))}
      hint={[description, type, required ? 'required' : ''].filter(Boolean).join(', ')}
      error={error}
      isRequired={required === true}
    />
  );
}

/** What is no number is sent as it was typed: the service says what is wrong with it. */
function readValue(type: ScriptParameter['type'], text: string): unknown {
  return type === 'number' || type === 'integer' ? (parseTyped(text) ?? text) : text;
}
