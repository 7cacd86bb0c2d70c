// What is sent: everything or chosen fields, and the form of the body.

import { CodeEditor } from '../../../../elements/code/code-editor.tsx';
import { Check } from '../../../../elements/field.tsx';
import { Radios } from '../../../../elements/radios.tsx';
import { session } from '../../../../session/session.ts';
import type { BodyForm } from '../../draft/draft.ts';
import { type EditorForm, typeOf } from '../../draft/form.ts';
import { countTicks } from '../../draft/selection.ts';
import { ScriptFields } from './script-fields.tsx';
import { SelectionTree } from './selection-tree.tsx';

export function ContentSection({ form }: { form: EditorForm }) {
  const type = typeOf(form);
  return (
    <>
      {type && <FieldChoice form={form} />}
      <BodyChoice form={form} isTyped={type !== undefined} />
      {type && <ScriptFields form={form} />}
    </>
  );
}

function FieldChoice({ form }: { form: EditorForm }) {
  const { draft, change, errorOf, model } = form;
  const type = typeOf(form)!;
  const { selection } = draft;
  return (
    <>
      <Radios
        label="Fields"
        value={selection === undefined ? 'ALL' : 'CHOSEN'}
        choices={[
          { value: 'ALL', label: 'Everything', hint: 'the object as a GET shows it' },
          { value: 'CHOSEN', label: 'Chosen fields', hint: 'also of what the object refers to' },
        ]}
        onChange={(choice) => change({ selection: choice === 'ALL' ? undefined : {} })}
      />
      {selection && (
        <>
          <SelectionTree
            model={model}
            type={type}
            selection={selection}
            onChange={(next) => change({ selection: next })}
          />
          <p class="hint">
            {countTicks(selection) === 0
              ? 'Nothing is chosen: only key and link are sent.'
              : `${countTicks(selection)} chosen. Key and link always come along.`}
          </p>
        </>
      )}
      {errorOf('json') && <p class="field-error">{errorOf('json')}</p>}
    </>
  );
}

function BodyChoice({ form, isTyped }: { form: EditorForm; isTyped: boolean }) {
  const { draft, change, errorOf, isSaved } = form;
  const hasStylesheets = session.value?.user.edition === 'ENTERPRISE' || draft.bodyForm === 'STYLESHEET';
  return (
    <>
      <Radios
        label="Body"
        value={draft.bodyForm}
        choices={[
          { value: 'ENVELOPE', label: 'Envelope', hint: 'the event, with the object inside' },
          { value: 'OBJECT', label: 'The object alone' },
          ...(hasStylesheets ? [stylesheetChoice(isTyped)] : []),
        ]}
        onChange={(bodyForm) => change({ bodyForm: bodyForm as BodyForm, ...startOf(bodyForm, draft.stylesheet) })}
        disabled={isSaved}
      />
      {draft.bodyForm === 'ENVELOPE' && (
        <Check
          label="Include changes"
          hint="each changed attribute with its old and new value"
          isChecked={draft.includeChanges}
          onChange={(includeChanges) => change({ includeChanges })}
          disabled={isSaved}
        />
      )}
      {draft.bodyForm === 'STYLESHEET' && (
        <div class="field">
          <CodeEditor
            label="Stylesheet"
            value={draft.stylesheet}
            onInput={(stylesheet) => change({ stylesheet })}
            language="xml"
            rows={12}
            isReadOnly={isSaved}
            isInvalid={errorOf('xsl') !== undefined}
          />
          {errorOf('xsl') && <p class="field-error">{errorOf('xsl')}</p>}
        </div>
      )}
    </>
  );
}

function stylesheetChoice(isTyped: boolean) {
  const hint = isTyped ? 'XSLT 1.0 over the object as XML' : 'needs event types of one type of objects';
  return { value: 'STYLESHEET', label: 'Made by a stylesheet', hint, disabled: !isTyped };
}

function startOf(bodyForm: string, stylesheet: string): { stylesheet?: string } {
  return bodyForm === 'STYLESHEET' && stylesheet === '' ? { stylesheet: firstStylesheet } : {};
}

const firstStylesheet = `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="xml" indent="yes"/>
  <xsl:template match="/*">
    <message type="{name()}" key="{key}"/>
  </xsl:template>
</xsl:stylesheet>
`;
