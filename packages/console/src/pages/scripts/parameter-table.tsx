// The parameters of a script: exactly those that its code uses.

import { Button } from '../../elements/button.tsx';
import { Section } from '../../elements/page.tsx';
import { parameterTypes, type ScriptParameter } from './alert-script.ts';

interface ParameterTableProps {
  parameters: readonly ScriptParameter[];
  isReadOnly: boolean;
  onChange(parameters: ScriptParameter[]): void;
  error: string | undefined;
}

export function ParameterTable({ parameters, isReadOnly, onChange, error }: ParameterTableProps) {
  const change = (index: number, changes: Partial<ScriptParameter>) =>
    onChange(parameters.map((each, at) => (at === index ? { ...each, ...changes } : each)));
  const add = () => onChange([...parameters, { name: '', type: 'text' }]);
  return (
    <Section title="Parameters" actions={!isReadOnly && <Button onClick={add}>Add a parameter</Button>}>
      {error && <p class="field-error">{error}</p>}
      {parameters.length === 0 && <p class="faint">None. The code reads a parameter as parameters.name.</p>}
      {parameters.map((parameter, index) => (
        <fieldset key={index} class="toolbar" disabled={isReadOnly}>
          <legend class="hidden">Parameter {parameter.name}</legend>
          <input
            aria-label="Name"
            placeholder="Name"
            class="mono"
            value={parameter.name}
            onInput={(event) => change(index, { name: event.currentTarget.value })}
          />
          <select
            aria-label="Type"
            value={parameter.type}
            onChange={(event) => change(index, { type: event.currentTarget.value as ScriptParameter['type'] })}
          >
            {parameterTypes.map((type) => (
              <option key={type} value={type}>
                {type}
              </option>
            ))}
          </select>
          <label class="check">
            <input
              type="checkbox"
              checked={parameter.required ?? false}
              onChange={(event) => change(index, { required: event.currentTarget.checked })}
            />
            required
          </label>
          {!isReadOnly && (
            <Button kind="quiet" onClick={() => onChange(parameters.filter((_, at) => at !== index))}>
              Remove
            </Button>
          )}
        </fieldset>
      ))}
    </Section>
  );
}
