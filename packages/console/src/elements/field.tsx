// Fields of forms: a label, the control, a hint, and the mistake below it.

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { notifyError } from './notices.tsx';

interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  error?: string | undefined;
  children(ids: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: boolean }): ComponentChildren;
}

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(described ? { 'aria-describedby': described } : {}),
        ...(error ? { 'aria-invalid': true } : {}),
      })}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface TextFieldProps {
  label: string;
  value: string;
  onInput(value: string): void;
  hint?: ComponentChildren;
  error?: string | undefined;
  type?: 'text' | 'password' | 'url' | 'email' | 'search' | 'number' | 'datetime-local';
  placeholder?: string;
  isRequired?: boolean;
  autoComplete?: string;
  isMono?: boolean;
  /** More than one: a field of several lines. */
  rows?: number;
}

export function TextField(props: TextFieldProps) {
  const { label, hint, error, rows, onInput, isRequired, isMono, type = 'text', ...rest } = props;
  const shared = {
    ...rest,
    class: isMono ? 'mono' : undefined,
    required: isRequired,
    spellcheck: false,
    autocomplete: rest.autoComplete ?? 'off',
  };
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) =>
        rows ? (
          <textarea {...ids} {...shared} rows={rows} onInput={(event) => onInput(event.currentTarget.value)} />
        ) : (
          <input {...ids} {...shared} type={type as 'text'} onInput={(event) => onInput(event.currentTarget.value)} />
        )
      }
    </Field>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  choices: readonly { value: string; label: string }[];
  onChange(value: string): void;
  hint?: ComponentChildren;
  error?: string | undefined;
}

export function Choice({ label, value, choices, onChange, hint, error }: ChoiceProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <select {...ids} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value} selected={choice.value === value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface CheckProps {
  label: ComponentChildren;
  isChecked: boolean;
  /** If it throws, the error is shown as a notice, and the box is as it was. */
  onChange(isChecked: boolean): unknown;
  hint?: string;
  disabled?: boolean;
}

export function Check({ label, isChecked, onChange, hint, disabled }: CheckProps) {
  const change = async (box: HTMLInputElement) => {
    try {
      await onChange(box.checked);
    } catch (error) {
      box.checked = isChecked;
      notifyError(error);
    }
  };
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isChecked}
        disabled={disabled}
        onChange={(event) => change(event.currentTarget)}
      />
      <span>
        {label}
        {hint && <span class="hint"> {hint}</span>}
      </span>
    </label>
  );
}
