// How the service authenticates itself to the receiver. Secrets are never shown: an empty one stays as it is.

import { TextField } from '../../../../elements/field.tsx';
import { Radios } from '../../../../elements/radios.tsx';
import { channelUses } from '../../draft/channel-uses.ts';
import type { Authorization, AuthorizationKind, Secrets } from '../../draft/draft.ts';
import type { EditorForm } from '../../draft/form.ts';

const words: Readonly<Record<AuthorizationKind, string>> = {
  NONE: 'None',
  BASIC: 'User and password',
  OAUTH2: 'OAuth 2.0 client credentials',
  MTLS: 'Client certificate (mutual TLS)',
  CREDENTIALS: 'Credentials file of NATS',
};

export function AuthorizationFields({ form }: { form: EditorForm }) {
  const { draft, change, errorOf } = form;
  const { authorizations } = channelUses[draft.channelType];
  const kind = authorizations.includes(draft.authorization.kind) ? draft.authorization.kind : 'NONE';
  const choices: AuthorizationKind[] = ['NONE', ...authorizations];
  return (
    <>
      <Radios
        label="Authorization"
        value={kind}
        choices={choices.map((value) => ({ value, label: words[value] }))}
        onChange={(chosen) => change({ authorization: { ...draft.authorization, kind: chosen as AuthorizationKind } })}
      />
      {errorOf('channelInfo.auth.type') && <p class="field-error">{errorOf('channelInfo.auth.type')}</p>}
      {kind !== 'NONE' && <div class="nested">{fieldsOf[kind](form)}</div>}
    </>
  );
}

const fieldsOf: Readonly<Record<Exclude<AuthorizationKind, 'NONE'>, (form: EditorForm) => preact.ComponentChildren>> = {
  BASIC: (form) => (
    <>
      <Member form={form} name="username" label="User" path="webhookUsername" />
      <Secret form={form} name="password" label="Password" path="webhookPassword" />
    </>
  ),
  OAUTH2: (form) => (
    <>
      <Member form={form} name="tokenUrl" label="Token URL" isRequired />
      <Member form={form} name="clientId" label="Client id" isRequired />
      <Secret form={form} name="clientSecret" label="Client secret" />
      <Member form={form} name="scope" label="Scope" />
      <Member form={form} name="audience" label="Audience" />
    </>
  ),
  MTLS: (form) => (
    <>
      <Member form={form} name="certificate" label="Certificate (PEM)" isRequired rows={5} />
      <Secret form={form} name="privateKey" label="Private key (PEM)" rows={5} />
    </>
  ),
  CREDENTIALS: (form) => <Secret form={form} name="credentials" label="Text of the .creds file" rows={5} />,
};

interface MemberProps {
  form: EditorForm;
  name: Exclude<keyof Authorization, 'kind'>;
  label: string;
  /** Of the attribute; by default a member of `channelInfo.auth`. */
  path?: string;
  isRequired?: boolean;
  rows?: number;
}

function Member({ form: { draft, change, errorOf }, name, path, ...field }: MemberProps) {
  return (
    <TextField
      {...field}
      value={draft.authorization[name]}
      onInput={(value) => change({ authorization: { ...draft.authorization, [name]: value } })}
      error={errorOf(path ?? `channelInfo.auth.${name}`)}
      isMono={field.rows !== undefined}
    />
  );
}

interface SecretProps extends Omit<MemberProps, 'name'> {
  name: keyof Secrets;
}

function Secret({ form: { draft, change, errorOf, isSaved }, name, path, rows, ...field }: SecretProps) {
  return (
    <TextField
      {...field}
      {...(rows ? { rows } : { type: 'password' })}
      autoComplete="new-password"
      value={draft.secrets[name]}
      onInput={(value) => change({ secrets: { ...draft.secrets, [name]: value } })}
      error={errorOf(path ?? `channelInfo.auth.${name}`)}
      hint={isSaved ? 'Empty: it stays as it is.' : 'Encrypted, and never shown again.'}
      isMono={rows !== undefined}
    />
  );
}
