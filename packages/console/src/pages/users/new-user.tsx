// The form for a new user.

import { useState } from 'preact/hooks';
import { Button } from '../../elements/button.tsx';
import { Dialog } from '../../elements/dialog.tsx';
import { Choice, TextField } from '../../elements/field.tsx';
import { notify } from '../../elements/notices.tsx';
import { navigate } from '../../routing/location.ts';
import { request } from '../../service/request.ts';
import { useViolations } from '../../service/use-violations.ts';
import type { ApiUser } from './api-user.ts';

export function NewUser({ onClose }: { onClose(): void }) {
  const [userCode, setUserCode] = useState('');
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [edition, setEdition] = useState('ENTERPRISE');
  const { errorOf, attempt } = useViolations(['userCode', 'name', 'email', 'edition']);
  const save = () =>
    attempt(async () => {
      const body = { userCode, name, email: email || null, edition };
      const user = await request<ApiUser>('/ApiUser', { method: 'POST', body });
      notify(`User ${user.userCode} is added. Add a client, so that a program can sign in.`);
      navigate(`/users/${user.key}`);
    });
  return (
    <Dialog
      title="Add a user"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" onClick={save}>
            Add
          </Button>
        </>
      }
    >
      <TextField label="Code" value={userCode} onInput={setUserCode} error={errorOf('userCode')} isRequired />
      <TextField label="Name" value={name} onInput={setName} error={errorOf('name')} isRequired />
      <TextField
        label="E-mail"
        type="email"
        value={email}
        onInput={setEmail}
        error={errorOf('email')}
        hint="Gets a mail when a subscription is deactivated."
      />
      <Choice
        label="Edition"
        value={edition}
        onChange={setEdition}
        error={errorOf('edition')}
        choices={[
          { value: 'ENTERPRISE', label: 'Enterprise: may use stylesheets' },
          { value: 'STANDARD', label: 'Standard' },
        ]}
      />
    </Dialog>
  );
}
