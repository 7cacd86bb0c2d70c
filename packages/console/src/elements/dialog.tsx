// A dialog over the page, and the question whether something that cannot be undone shall be done.

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from './button.tsx';

interface DialogProps {
  title: string;
  onClose(): void;
  children: ComponentChildren;
  /** The buttons at its end. */
  actions?: ComponentChildren;
}

/** The browser keeps the focus inside and closes it with Escape. */
export function Dialog({ title, onClose, children, actions }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    element.current?.showModal();
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onClose={onClose}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      <div class="dialog-content">{children}</div>
      {actions && <div class="actions">{actions}</div>}
    </dialog>
  );
}

interface Question {
  title: string;
  /** What will happen, and that it cannot be undone. */
  text: string;
  more?: ComponentChildren;
  /** A verb. */
  action: string;
  answer(isConfirmed: boolean): void;
}

const question = signal<Question | undefined>(undefined);

/** Only for what cannot be undone. */
export function confirmAction(words: Omit<Question, 'answer'>): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (isConfirmed: boolean) => {
      question.value = undefined;
      resolve(isConfirmed);
    };
    question.value = { ...words, answer };
  });
}

export function OpenQuestion() {
  if (!question.value) return null;
  const { title, text, more, action, answer } = question.value;
  return (
    <Dialog
      title={title}
      onClose={() => answer(false)}
      actions={
        <>
          <Button onClick={() => answer(false)}>Cancel</Button>
          <Button kind="danger" onClick={() => answer(true)}>
            {action}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      {more}
    </Dialog>
  );
}
