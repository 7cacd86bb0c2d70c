// The editor of a subscription: the form on the left, and on the right what it would do.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../../elements/button.tsx';
import { TextField } from '../../../elements/field.tsx';
import type { Model } from '../../../model/model.ts';
import { Link } from '../../../routing/link.tsx';
import type { EditedDraft } from '../draft/use-draft.ts';
import { seesAllUsers } from '../sees-all-users.ts';
import { ContentSection } from './content/content-section.tsx';
import './editor.css';
import type { EditorForm } from '../draft/form.ts';
import { FailureSection } from './failure/failure-section.tsx';
import { useRetryDefault } from './failure/retry-default.ts';
import { ResultPanel } from './result/result-panel.tsx';
import { type SavedDraft, type TriedDraft, useRecent } from './result/use-recent.ts';
import { StartChoice } from './start-choice.tsx';
import { othersOf, useSave } from './use-save.ts';
import { UserField } from './user-field.tsx';
import { WhatSection } from './what/what-section.tsx';
import { WhenSection } from './when/when-section.tsx';
import { WhereSection } from './where/where-section.tsx';

interface EditorProps {
  model: Model;
  edited: EditedDraft;
  /** Undefined for a new one. */
  saved?: SavedDraft;
  isReplacing: boolean;
  /** The verb of the button. */
  action: string;
  /** Where "Cancel" leads. */
  back: string;
  /** Above the form. */
  children?: ComponentChildren;
  save(): Promise<void>;
}

export function Editor({ model, edited, saved, isReplacing, action, back, children, save }: EditorProps) {
  const { draft, change } = edited;
  const { violations, errorOf, attempt } = useSave(draft);
  const [pointed, setPointed] = useState<{ from: number; to: number } | undefined>(undefined);
  const tried = useRecent(draft, saved);
  const isSaved = saved !== undefined;
  const fallback = useRetryDefault('recent' in tried ? tried.recent : undefined);
  const form: EditorForm = { draft, change, errorOf, model, isSaved, isReplacing };
  const isNew = !isSaved && !isReplacing;
  return (
    <div class="editor">
      <form
        class="editor-form"
        noValidate
        onSubmit={(event) => event.preventDefault()}
        aria-label={isSaved ? 'Settings of the subscription' : 'New subscription'}
      >
        {children}
        <Restored edited={edited} />
        {isNew && !edited.isChanged && <StartChoice model={model} onChoose={change} />}
        <Part title="What">
          <WhatSection form={form} />
        </Part>
        <Part title="When">
          <WhenSection form={form} pointed={pointed} />
        </Part>
        <Part title="What is sent">
          <ContentSection form={form} />
        </Part>
        <Part title="Where">
          <WhereSection form={form} />
        </Part>
        <Part title="If it fails">
          <FailureSection form={form} fallback={fallback} />
        </Part>
        <Part title="Name">
          <TextField
            label="Name"
            placeholder="Bunker orders to the agent"
            value={draft.name}
            onInput={(name) => change({ name })}
            error={errorOf('name')}
            hint="For people: lists and mails show it."
          />
          {seesAllUsers() && !isSaved && <UserField form={form} />}
        </Part>
        <div class="save-bar">
          <Button type="submit" kind="primary" disabled={isSaved && !edited.isChanged} onClick={() => attempt(save)}>
            {action}
          </Button>
          <Link to={back} class="button">
            Cancel
          </Link>
          <ToResult tried={tried} />
          <SaveProblems violations={violations} />
        </div>
      </form>
      <ResultPanel tried={tried} onPoint={setPointed} />
    </div>
  );
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="editor-part" aria-label={title}>
      <h2>{title}</h2>
      <div class="editor-fields">{children}</div>
    </section>
  );
}

function Restored({ edited: { isRestored, isChanged, discard } }: { edited: EditedDraft }) {
  if (!isRestored || !isChanged) return null;
  return (
    <p class="note" role="status">
      Your draft is back, without its secrets.{' '}
      <Button kind="quiet" onClick={discard}>
        Discard it
      </Button>
    </p>
  );
}

function SaveProblems({ violations }: Pick<ReturnType<typeof useSave>, 'violations'>) {
  const others = othersOf(violations);
  if (violations.length === 0) return null;
  return (
    <div class="bad" role="alert">
      <p>
        {violations.length === 1 ? 'One mistake' : `${violations.length} mistakes`}
        {others.length < violations.length ? ', marked above.' : '.'}
      </p>
      {others.map(({ path, message }) => (
        <p key={path}>
          <code>{path}</code>: {message}
        </p>
      ))}
    </div>
  );
}

/** Where the result is below the form. */
function ToResult({ tried }: { tried: TriedDraft }) {
  if (tried.kind !== 'tried') return null;
  const { matched, examined } = tried.recent;
  return (
    <button
      type="button"
      class="button quiet to-result"
      onClick={() => document.querySelector('.result')?.scrollIntoView({ block: 'start' })}
    >
      {matched} of {examined} match
    </button>
  );
}
