// The user of a new subscription: an administrator may choose another one.

import { Choice } from '../../../elements/field.tsx';
import { request } from '../../../service/request.ts';
import { useLoaded } from '../../../service/use-loaded.ts';
import { session } from '../../../session/session.ts';
import type { EditorForm } from '../draft/form.ts';

interface ListedUser {
  key: number;
  userCode: string;
  name: string | null;
}

export function UserField({ form: { draft, change, errorOf, isReplacing } }: { form: EditorForm }) {
  const users = useLoaded(
    (signal) =>
      request<ListedUser[]>('/ApiUser', {
        query: { limit: 1000, sort: 'userCode(ASI)', filter: 'active(EQ)true' },
        fields: { userCode: '*', name: '*' },
        headers: { noCount: 'YES' },
        signal,
      }),
    [],
  );
  const own = session.value?.user;
  const others = (users.value ?? []).filter(({ key }) => key !== own?.key);
  if (isReplacing || others.length === 0) return null;
  return (
    <Choice
      label="User"
      value={draft.user}
      choices={[
        { value: '', label: `${own?.userCode} (you)` },
        ...others.map(({ key, userCode, name }) => ({
          value: String(key),
          label: name ? `${userCode}, ${name}` : userCode,
        })),
      ]}
      onChange={(user) => change({ user })}
      error={errorOf('user')}
      hint="Whose subscription it is: this user sees it, and gets the mail if it is deactivated."
    />
  );
}
