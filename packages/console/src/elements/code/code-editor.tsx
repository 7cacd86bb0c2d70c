// An editor for code: expressions, stylesheets and scripts. It is loaded when it is first shown, and until then the text
// is in a plain field. Its styles live in a shadow root, so that the page needs no 'unsafe-inline'.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import './code-editor.css';
import type { Completer, EditorHandle, Language, Mistake } from './create-editor.ts';

interface CodeEditorProps {
  /** The name of the field. */
  label: string;
  value: string;
  onInput(value: string): void;
  language: Language;
  /** Marked in the text, in addition to what is shown elsewhere. */
  mistakes?: readonly Mistake[];
  /** A part of the text to point at. */
  pointed?: { from: number; to: number } | undefined;
  complete?: Completer;
  isInvalid?: boolean;
  isReadOnly?: boolean;
  placeholder?: string;
  /** Lines that are visible without scrolling, at least. */
  rows?: number;
}

const none: readonly Mistake[] = [];

export function CodeEditor(props: CodeEditorProps) {
  const { label, value, language, mistakes = none, pointed, isInvalid = false, isReadOnly = false, rows = 3 } = props;
  const host = useRef<HTMLDivElement>(null);
  const plain = useRef<HTMLTextAreaElement>(null);
  const editor = useRef<EditorHandle | undefined>(undefined);
  const latest = useRef(props);
  /** The plain field as it was when the editor took its place, if it had the focus. */
  const left = useRef<{ text: string; caret: number } | undefined>(undefined);
  /** What was typed and has not come back as `value` yet. */
  const typed = useRef<string[]>([]);
  latest.current = props;
  const [isLoaded, setLoaded] = useState(false);
  const emit = (text: string) => {
    typed.current.push(text);
    latest.current.onInput(text);
  };

  useEffect(() => {
    let isGone = false;
    import('./create-editor.ts').then(
      async ({ createEditor }) => {
        const created = await createEditor({
          root: host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' }),
          value: latest.current.value,
          language,
          label,
          isReadOnly,
          placeholder: latest.current.placeholder ?? '',
          onInput: emit,
          complete: latest.current.complete && ((text, offset) => latest.current.complete!(text, offset)),
        });
        if (isGone) return created.destroy();
        editor.current = created;
        if (plain.current && document.activeElement === plain.current)
          left.current = { text: plain.current.value, caret: plain.current.selectionStart };
        setLoaded(true);
      },
      // Without it, the plain field stays.
      () => undefined,
    );
    return () => {
      isGone = true;
      editor.current?.destroy();
      editor.current = undefined;
    };
  }, [language, label, isReadOnly]);

  // Text that is being typed continues in the editor.
  useLayoutEffect(() => {
    if (!isLoaded || !left.current) return;
    editor.current?.setValue(left.current.text);
    editor.current?.focus(left.current.caret);
  }, [isLoaded]);
  useEffect(() => {
    // Two letters may be typed before the first comes back. The text of the editor is newer then.
    const index = typed.current.indexOf(value);
    if (index < 0) editor.current?.setValue(value);
    typed.current.splice(0, index < 0 ? typed.current.length : index + 1);
  }, [value, isLoaded]);
  useEffect(() => editor.current?.setMistakes(mistakes), [mistakes, isLoaded]);
  useEffect(() => editor.current?.point(pointed), [pointed, isLoaded]);
  useEffect(() => editor.current?.setInvalid(isInvalid), [isInvalid, isLoaded]);

  return (
    <div class={`code-editor${isInvalid ? ' invalid' : ''}`} style={{ '--rows': rows }}>
      <div ref={host} class="code-host" hidden={!isLoaded} />
      {!isLoaded && (
        <textarea
          ref={plain}
          class="mono"
          aria-label={label}
          aria-invalid={isInvalid}
          rows={rows}
          spellcheck={false}
          readOnly={isReadOnly}
          value={value}
          onInput={(event) => emit(event.currentTarget.value)}
        />
      )}
    </div>
  );
}
