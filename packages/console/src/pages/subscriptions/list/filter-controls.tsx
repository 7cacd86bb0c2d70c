// The controls above the list of subscriptions. What they choose is in the address.

import { loadModel } from '../../../model/model.ts';
import { setQuery } from '../../../routing/location.ts';
import { request } from '../../../service/request.ts';
import { useLoaded } from '../../../service/use-loaded.ts';
import { channelTypes, channelWords } from '../api-subscription.ts';
import { seesAllUsers } from '../sees-all-users.ts';
import type { ListFilter } from './subscription-filter.ts';

interface Choice {
  value: string;
  label: string;
}

const states: readonly Choice[] = [
  { value: '', label: 'Not unsubscribed' },
  { value: 'ACTIVE', label: 'Active' },
  { value: 'FAILING', label: 'Failing' },
  { value: 'DEACTIVATED', label: 'Deactivated' },
  { value: 'UNSUBSCRIBED', label: 'Unsubscribed' },
  { value: 'ANY', label: 'Any state' },
];

const channels: readonly Choice[] = [
  { value: '', label: 'Any channel' },
  ...channelTypes.map((value) => ({ value, label: channelWords[value] })),
];

export function FilterControls({ filter }: { filter: ListFilter }) {
  const model = useLoaded(loadModel, []);
  const names = (model.value?.types ?? []).filter(({ makesEvents }) => makesEvents).map(({ name }) => name);
  const types = [{ value: '', label: 'Any type' }, ...names.map((value) => ({ value, label: value }))];
  return (
    <>
      <input
        type="search"
        aria-label="Search by name, address or key"
        placeholder="Name, address or key"
        value={filter.search}
        onInput={(event) => setQuery({ search: event.currentTarget.value }, { replace: true })}
      />
      <FilterChoice name="state" label="State" value={filter.state} choices={states} />
      <FilterChoice name="channel" label="Channel" value={filter.channel} choices={channels} />
      <FilterChoice name="type" label="Type" value={filter.type} choices={types} />
      {seesAllUsers() && <UserChoice value={filter.user} />}
    </>
  );
}

interface ListedUser {
  key: number;
  userCode: string;
}

function UserChoice({ value }: { value: string }) {
  const users = useLoaded(
    (signal) =>
      request<ListedUser[]>('/ApiUser', {
        query: { limit: 1000, sort: 'userCode(ASI)' },
        fields: { userCode: '*' },
        headers: { noCount: 'YES' },
        signal,
      }),
    [],
  );
  const choices = (users.value ?? []).map(({ key, userCode }) => ({ value: String(key), label: userCode }));
  return (
    <FilterChoice name="user" label="User" value={value} choices={[{ value: '', label: 'Any user' }, ...choices]} />
  );
}

interface FilterChoiceProps {
  name: string;
  label: string;
  value: string;
  choices: readonly Choice[];
}

/** A value of the address that is not among the choices, such as a type that is gone, is shown as it is. */
function FilterChoice({ name, label, value, choices }: FilterChoiceProps) {
  const all = choices.some((choice) => choice.value === value) ? choices : [...choices, { value, label: value }];
  return (
    <select
      class={value === '' ? undefined : 'chosen'}
      aria-label={label}
      value={value}
      onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
    >
      {all.map((choice) => (
        <option key={choice.value} value={choice.value} selected={choice.value === value}>
          {choice.label}
        </option>
      ))}
    </select>
  );
}
