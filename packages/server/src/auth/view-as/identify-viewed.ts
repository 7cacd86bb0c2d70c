// An administrator who looks as another user: the request is answered as it would be for a client with all scopes of
// that user. Limits and the audit log still name the client of the administrator.

import { quoteText } from '@flaghoist/source-text';
import { ApiError } from '../../errors.ts';
import type { Access } from '../directory/access.ts';
import type { AccessDirectory } from '../directory/access-directory.ts';
import { grantOfUser } from '../directory/grant.ts';
import { type Identity, identityOfGrant } from '../directory/identity.ts';
import { missingScope } from '../tokens/verified-token.ts';
import type { ViewRecords } from './view-records.ts';

export const viewAsHeader = 'flaghoist-view-as';

export interface ViewParts {
  directory: AccessDirectory;
  audience: string;
  views: ViewRecords;
}

export async function identifyViewed(
  { directory, audience, views }: ViewParts,
  { caller, scopes }: Identity,
  userKey: number,
): Promise<Identity> {
  if (!scopes.has('admin')) throw missingScope('admin');
  // Another process may have just created the user.
  const grant =
    grantOfUser(await directory.current(), userKey, audience) ??
    grantOfUser(await directory.reload(), userKey, audience);
  if (!grant) throw notViewable(await directory.current(), userKey);
  await views.record(caller, userKey);
  return identityOfGrant({ ...grant, client: caller.client });
}

function notViewable({ users }: Access, userKey: number): ApiError {
  const user = users.get(userKey);
  if (!user?.isActive)
    return new ApiError(
      'invalidHeader',
      `The header "${viewAsHeader}" must be the key of an active ApiUser; there is none with the key ${userKey}.`,
    );
  return new ApiError(
    'noAccess',
    `The user ${quoteText(user.userCode)} has no active client, so it sees nothing. Create a client for it, or look ` +
      'as another user.',
  );
}
