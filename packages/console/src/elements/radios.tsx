// One of a few choices, all of them visible.

import { useId } from 'preact/hooks';

interface RadiosProps {
  label: string;
  value: string;
  choices: readonly { value: string; label: string; hint?: string; disabled?: boolean }[];
  onChange(value: string): void;
  disabled?: boolean;
}

export function Radios({ label, value, choices, onChange, disabled }: RadiosProps) {
  const name = useId();
  return (
    <fieldset class="radios" disabled={disabled}>
      <legend>{label}</legend>
      {choices.map((choice) => {
        const id = `${name}-${choice.value}`;
        return (
          <label key={choice.value} class="check">
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              disabled={choice.disabled}
              aria-labelledby={id}
              aria-describedby={choice.hint ? `${id}-hint` : undefined}
              onChange={() => onChange(choice.value)}
            />
            <span>
              <span id={id}>{choice.label}</span>
              {choice.hint && (
                <span class="hint" id={`${id}-hint`}>
                  {' '}
                  {choice.hint}
                </span>
              )}
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
