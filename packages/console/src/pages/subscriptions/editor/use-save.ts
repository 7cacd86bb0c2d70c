// Saves the draft, and keeps the mistakes that were found for the fields that they belong to.

import { useState } from 'preact/hooks';
import { ServiceError, type Violation } from '../../../service/service-error.ts';
import type { Draft } from '../draft/draft.ts';
import { type Body, wholeBody } from '../draft/draft-body.ts';
import { findMistakes } from '../draft/find-mistakes.ts';

export interface Saving {
  violations: readonly Violation[];
  /** Exactly of this attribute or of its elements. `isWhole`: also of what is inside it. */
  errorOf(name: string, isWhole?: boolean): string | undefined;
  attempt(save: () => Promise<void>): Promise<void>;
}

interface Found {
  violations: readonly Violation[];
  /** What was wrong. A mistake is shown until its attribute is changed. */
  body: Body;
}

export function useSave(draft: Draft): Saving {
  const [found, setFound] = useState<Found>({ violations: [], body: {} });
  const body = wholeBody(draft);
  const violations = found.violations.filter(({ path }) => {
    const name = attributeOf(path);
    return JSON.stringify(body[name]) === JSON.stringify(found.body[name]);
  });
  const show = (mistakes: readonly Violation[]) => {
    setFound({ violations: mistakes, body });
    if (mistakes.length > 0) focusFirst();
  };
  return {
    violations,
    errorOf: (name, isWhole = false) =>
      violations
        .filter(({ path }) => path === name || path.startsWith(`${name}[`) || (isWhole && path.startsWith(`${name}.`)))
        .map(({ message }) => sentence(message))
        .join(' ') || undefined,
    attempt: async (save) => {
      const mistakes = findMistakes(draft);
      show(mistakes);
      if (mistakes.length > 0) return;
      try {
        await save();
      } catch (error) {
        if (!(error instanceof ServiceError) || error.violations.length === 0) throw error;
        show(error.violations);
      }
    },
  };
}

/** The attribute of `wholeBody` that a path is about. */
function attributeOf(path: string): string {
  const name = path.split(/[.[]/)[0]!;
  return name === 'url' ? 'channelInfo' : name;
}

/** The service writes messages to stand after the name of the attribute. */
function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}

/** Once the mistakes are shown. */
function focusFirst(): void {
  const marked = '.editor-form [aria-invalid="true"], .editor-form .field-error';
  setTimeout(() => {
    const first = document.querySelector<HTMLElement>(marked);
    first?.scrollIntoView({ block: 'center' });
    controlOf(first)?.focus({ preventScroll: true });
  }, 50);
}

/** The field that a message is about. */
function controlOf(element: HTMLElement | null): HTMLElement | null | undefined {
  if (!element?.matches('.field-error')) return element;
  const field = element.closest('.field, fieldset, .editor-fields');
  const code = field?.querySelector('.code-host')?.shadowRoot?.querySelector<HTMLElement>('[contenteditable]');
  return code ?? field?.querySelector<HTMLElement>('input, select, textarea');
}

/** The paths that have a place where their mistakes are shown. */
const shownPaths = [
  ...['name', 'user', 'expression', 'json', 'xsl', 'dlpAlertScript', 'scriptParameterValues', 'url', 'signingSecret'],
  ...['webhookUsername', 'webhookPassword', 'acknowledgeSeconds', 'retryPolicy', 'ratePerSecond'],
  ...['channelInfo.channelType', 'channelInfo.URL', 'channelInfo.subject'],
];
const shownPrefixes = ['eventTypes', 'headers', 'retryPolicy.', 'scriptParameterValues.', 'channelInfo.auth.'];

/** Those that no field shows. */
export function othersOf(violations: readonly Violation[]): Violation[] {
  return violations.filter(
    ({ path }) => !shownPaths.includes(path) && !shownPrefixes.some((prefix) => path.startsWith(prefix)),
  );
}
