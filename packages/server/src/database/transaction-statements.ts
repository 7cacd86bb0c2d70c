// The statements that open and end a transaction.

interface Fixed {
  text: string;
  values?: unknown[];
  isSeldom?: boolean;
}

export const begin: Fixed = { text: 'begin' };
export const commit: Fixed = { text: 'commit' };
/** Never prepared, because the server might not know the name. */
export const rollback: Fixed = { text: 'rollback', isSeldom: true };

/** For the rest of the transaction. */
export function actAs({ userKey, client }: { userKey: number | undefined; client: string }): Fixed {
  const text = "select set_config('flaghoist.user_key', $1, true), set_config('flaghoist.client_id', $2, true)";
  return { text, values: [userKey === undefined ? '' : String(userKey), client] };
}
