// Where notifications go: the channel, its address, and how the service authenticates itself there.

import { TextField } from '../../../../elements/field.tsx';
import { Radios } from '../../../../elements/radios.tsx';
import { channelTypes, channelWords } from '../../api-subscription.ts';
import { channelUses } from '../../draft/channel-uses.ts';
import type { EditorForm } from '../../draft/form.ts';
import { AuthorizationFields } from './authorization-fields.tsx';
import { HeaderFields } from './header-fields.tsx';

export function WhereSection({ form }: { form: EditorForm }) {
  const { draft, change, errorOf, isSaved } = form;
  const use = channelUses[draft.channelType];
  return (
    <>
      <Radios
        label="Channel"
        value={draft.channelType}
        choices={channelTypes.map((value) => ({
          value,
          label: channelWords[value],
          hint: channelUses[value].description,
          disabled: isSaved && channelUses[value].isStreamed !== use.isStreamed,
        }))}
        onChange={(channelType) => change({ channelType: channelType as typeof draft.channelType })}
      />
      {errorOf('channelInfo.channelType') && <p class="field-error">{errorOf('channelInfo.channelType')}</p>}
      {use.address && (
        <TextField
          label={use.address.label}
          type={use.address.type}
          placeholder={use.address.placeholder}
          value={draft.url}
          onInput={(url) => change({ url })}
          error={errorOf('url') ?? errorOf('channelInfo.URL')}
          isRequired
        />
      )}
      {use.hasSubject && (
        <TextField
          label="Subject"
          placeholder="flaghoist.{objectType}.{operation}.{objectKey}"
          value={draft.subject}
          onInput={(subject) => change({ subject })}
          error={errorOf('channelInfo.subject')}
          hint="Empty: as shown. {subscription} is the key of the subscription."
          isMono
        />
      )}
      {use.isStreamed && (
        <TextField
          label="Seconds to acknowledge"
          type="number"
          placeholder="30"
          value={draft.acknowledgeSeconds}
          onInput={(acknowledgeSeconds) => change({ acknowledgeSeconds })}
          error={errorOf('acknowledgeSeconds')}
          hint="What is not acknowledged within this time is sent again."
        />
      )}
      {use.authorizations.length > 0 && <AuthorizationFields form={form} />}
      {use.hasHeaders && <HeaderFields form={form} />}
      {!isSaved && use.isPinged && draft.channelType !== 'EMAIL' && <SigningSecret form={form} />}
    </>
  );
}

function SigningSecret({ form: { draft, change, errorOf, isReplacing } }: { form: EditorForm }) {
  return (
    <TextField
      label="Signing secret"
      type="password"
      autoComplete="new-password"
      placeholder="whsec_…"
      value={draft.secrets.signingSecret}
      onInput={(signingSecret) => change({ secrets: { ...draft.secrets, signingSecret } })}
      error={errorOf('signingSecret')}
      hint={
        isReplacing
          ? 'Empty: the secret of the subscription that is replaced is kept.'
          : 'Empty: the service creates one, and shows it once.'
      }
    />
  );
}
