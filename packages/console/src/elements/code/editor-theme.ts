// How code looks: the colours of the page, in both themes.

import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const look = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'transparent', fontSize: '12px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '18px', maxHeight: '60vh' },
  '.cm-content': {
    padding: '6px 0',
    minHeight: 'calc(var(--rows) * var(--row-height))',
    caretColor: 'var(--ink)',
  },
  '.cm-line': { padding: '0 8px' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-placeholder': { color: 'var(--ink-2)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 25%, transparent)',
  },
  '.cm-gutters': { backgroundColor: 'var(--paper-2)', color: 'var(--ink-2)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--accent-paper)',
    outline: '1px solid var(--line-2)',
  },
  '.cm-pointed': { backgroundColor: 'color-mix(in srgb, var(--warn) 25%, transparent)', borderRadius: '2px' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad)',
    textDecorationSkipInk: 'none',
    textUnderlineOffset: '3px',
  },
  '.cm-lintPoint-error:after': { borderBottomColor: 'var(--bad)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--paper)',
    border: '1px solid var(--line-2)',
    borderRadius: '6px',
    boxShadow: '0 4px 16px rgb(0 0 0 / 18%)',
    color: 'var(--ink)',
    maxWidth: 'min(480px, calc(100vw - 32px))',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mono)',
    fontSize: '12px',
    maxHeight: '220px',
    minWidth: '220px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px', display: 'flex', gap: '12px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--accent)', color: 'var(--accent-ink)' },
  '.cm-completionLabel': { flex: '1' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-completionDetail': { fontStyle: 'normal', opacity: '0.75', marginLeft: '0' },
  '.cm-tooltip.cm-completionInfo': { padding: '6px 8px', fontSize: '12px', fontFamily: 'system-ui, sans-serif' },
  '.cm-diagnostic': { padding: '6px 8px', borderLeft: '3px solid var(--bad)', fontFamily: 'system-ui, sans-serif' },
});

/** Each has the contrast of text on paper: only colours that the page uses for text. */
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword], color: 'var(--wait)' },
  { tag: [tags.string, tags.attributeValue, tags.regexp], color: 'var(--ok)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
  { tag: [tags.variableName, tags.tagName, tags.typeName], color: 'var(--accent)' },
  { tag: [tags.attributeName, tags.propertyName], color: 'var(--ink)' },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: 'var(--ink-2)', fontStyle: 'italic' },
]);

export const editorTheme = [look, syntaxHighlighting(colours)];
