// A button that opens a small window below itself. Escape, a click elsewhere, or its content closes it.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useKeys } from '../keys/shortcuts.ts';

interface PopoverProps {
  /** What the button shows. */
  button: ComponentChildren;
  /** The name of the button, if what it shows is not enough; and of the window. */
  label: string;
  kind?: 'plain' | 'quiet' | 'chip';
  /** A key of the page that opens it. */
  openKey?: string;
  children(close: () => void): ComponentChildren;
}

export function Popover({ button, label, kind = 'plain', openKey, children }: PopoverProps) {
  const [isOpen, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    opener.current?.focus();
  };
  useKeys(openKey === undefined ? {} : { [openKey]: () => setOpen(true) });
  useEffect(() => {
    if (!isOpen) return;
    const content = frame.current!.querySelector<HTMLElement>('.popover-content')!;
    (content.querySelector<HTMLElement>('input, select, textarea, button, a') ?? content).focus();
    const onPointer = (event: PointerEvent) => {
      if (!frame.current?.contains(event.target as Node)) setOpen(false);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // It closes this window alone, not a panel as well.
      event.preventDefault();
      close();
    };
    document.addEventListener('pointerdown', onPointer);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('pointerdown', onPointer);
      document.removeEventListener('keydown', onKey);
    };
  }, [isOpen]);
  return (
    <div class="popover" ref={frame}>
      <button
        type="button"
        class={kind === 'chip' ? 'chip-button' : `button ${kind}`}
        ref={opener}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={label}
        onClick={() => setOpen(!isOpen)}
      >
        {button}
      </button>
      {isOpen && (
        <div class="popover-content" role="dialog" aria-label={label} tabIndex={-1}>
          {children(close)}
        </div>
      )}
    </div>
  );
}
