// Buttons say what they do with a verb. While the work runs, the button is busy and takes no second click.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { notifyError } from './notices.tsx';

interface ButtonProps {
  /** An error that it throws is shown as a notice. */
  onClick(): unknown;
  kind?: 'primary' | 'plain' | 'danger' | 'quiet';
  disabled?: boolean;
  title?: string;
  label?: string;
  pressed?: boolean;
  type?: 'button' | 'submit';
  children: ComponentChildren;
}

export function Button({ onClick, kind = 'plain', disabled, title, label, pressed, type, children }: ButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      await onClick();
    } catch (error) {
      notifyError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <button
      type={type ?? 'button'}
      class={`button ${kind}`}
      onClick={run}
      disabled={disabled || isBusy}
      aria-busy={isBusy}
      aria-label={label}
      aria-pressed={pressed}
      title={title}
    >
      {children}
    </button>
  );
}
