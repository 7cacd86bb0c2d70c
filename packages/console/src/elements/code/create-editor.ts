// Makes an editor of CodeMirror in a shadow root. Loaded only with the pages that have an editor.

import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { type Diagnostic, setDiagnostics } from '@codemirror/lint';
import { Annotation, Compartment, EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  keymap,
  lineNumbers,
  placeholder,
  tooltips,
} from '@codemirror/view';
import { editorTheme } from './editor-theme.ts';

export type Language = 'expression' | 'xml' | 'javascript';

export interface Mistake {
  message: string;
  from: number;
  to: number;
}

export interface CompletionList {
  from: number;
  completions: readonly { label: string; kind: string; detail: string; insert: string; description?: string }[];
}

/** Undefined: nothing to offer. */
export type Completer = (text: string, offset: number) => Promise<CompletionList | undefined>;

export interface EditorOptions {
  root: ShadowRoot;
  value: string;
  language: Language;
  label: string;
  placeholder: string;
  isReadOnly: boolean;
  onInput(text: string): void;
  complete: Completer | undefined;
}

export interface EditorHandle {
  setValue(text: string): void;
  setMistakes(mistakes: readonly Mistake[]): void;
  setInvalid(isInvalid: boolean): void;
  point(range: { from: number; to: number } | undefined): void;
  focus(offset: number): void;
  destroy(): void;
}

export async function createEditor(options: EditorOptions): Promise<EditorHandle> {
  const { root, value, label, isReadOnly, onInput, complete } = options;
  const language = await languages[options.language]();
  const invalid = new Compartment();
  const invalidAttribute = (isInvalid: boolean) =>
    EditorView.contentAttributes.of({ 'aria-invalid': String(isInvalid) });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: value,
      extensions: [
        editorTheme,
        language,
        history(),
        drawSelection(),
        bracketMatching(),
        closeBrackets(),
        indentOnInput(),
        pointedField,
        placeholder(options.placeholder),
        tooltips({ position: 'fixed' }),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
        invalid.of(invalidAttribute(false)),
        EditorState.readOnly.of(isReadOnly),
        options.language === 'expression' ? [] : lineNumbers(),
        complete ? completing(complete) : [],
        // Tab leaves the field, as everywhere on the page.
        keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
        EditorView.updateListener.of((update) => {
          const isTyped = !update.transactions.some((each) => each.annotation(isFromOutside));
          if (update.docChanged && isTyped) onInput(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    setValue(text) {
      const { doc } = view.state;
      if (text === doc.toString()) return;
      view.dispatch({ changes: { from: 0, to: doc.length, insert: text }, annotations: isFromOutside.of(true) });
    },
    setMistakes: (mistakes) => view.dispatch(setDiagnostics(view.state, diagnosticsOf(mistakes, view.state))),
    setInvalid: (isInvalid) => view.dispatch({ effects: invalid.reconfigure(invalidAttribute(isInvalid)) }),
    point: (range) => view.dispatch({ effects: pointAt.of(range) }),
    focus(offset) {
      view.focus();
      view.dispatch({ selection: { anchor: Math.min(offset, view.state.doc.length) } });
    },
    destroy: () => view.destroy(),
  };
}

const isFromOutside = Annotation.define<boolean>();

const languages: Readonly<Record<Language, () => Promise<Extension>>> = {
  expression: async () => (await import('./expression-language.ts')).expressionLanguage,
  xml: async () => (await import('@codemirror/lang-xml')).xml(),
  javascript: async () => (await import('@codemirror/lang-javascript')).javascript(),
};

/** Mistakes belong to a text that may have become shorter since. */
function diagnosticsOf(mistakes: readonly Mistake[], { doc }: EditorState): Diagnostic[] {
  return mistakes
    .map(({ message, from, to }): Diagnostic => {
      const start = Math.min(from, doc.length);
      return { from: start, to: Math.min(Math.max(to, start), doc.length), severity: 'error', message };
    })
    .sort((a, b) => a.from - b.from);
}

const pointAt = StateEffect.define<{ from: number; to: number } | undefined>();

const pointedField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(pointAt)) continue;
      const { from = 0, to = 0 } = effect.value ?? {};
      const isInside = from < to && to <= transaction.state.doc.length;
      return isInside ? Decoration.set(Decoration.mark({ class: 'cm-pointed' }).range(from, to)) : Decoration.none;
    }
    return marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** A list opens after a word, a dot or an operator, and by Ctrl-Space anywhere. */
const opensList = /[\w.]$|[=<>!&|(+\-*/]\s*$|\b(AND|OR|NOT|and|or|not)\s+$/;
const kinds: Readonly<Record<string, string>> = { attribute: 'property', operator: 'keyword', value: 'constant' };

function completing(complete: Completer): Extension {
  const source = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const text = context.state.doc.toString();
    if (!context.explicit && !opensList.test(text.slice(0, context.pos))) return null;
    const list = await complete(text, context.pos).catch(() => undefined);
    if (!list || list.completions.length === 0 || context.aborted) return null;
    return {
      from: list.from,
      validFor: /^\w*$/,
      options: list.completions.map(({ label, kind, detail, insert, description }, index) => ({
        label,
        detail,
        type: kinds[kind] ?? kind,
        ...(description ? { info: description } : {}),
        apply: (view: EditorView, _: unknown, from: number, to: number) => {
          view.dispatch({
            changes: { from, to, insert },
            selection: { anchor: from + insert.length },
            userEvent: 'input.complete',
          });
          if (insert.endsWith('(') || insert.endsWith('.')) startCompletion(view);
        },
        // In the order of the service, the best first.
        boost: -Math.min(index, 98),
      })),
    };
  };
  return autocompletion({ override: [source], icons: false, activateOnTypingDelay: 120 });
}
