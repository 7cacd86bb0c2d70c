// The rules for an ApiClient beyond the model. A client without an id, a secret or an audience gets one; the default
// audience is that of this environment. All audiences must be audiences of the installation.

import { randomBytes } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { renderDateTime } from '../../clock.ts';
import type { CheckedBody } from '../../objects/check-body.ts';
import { type Mistake, withMistakes } from '../../objects/mistake.ts';
import { type ObjectChange, withColumns } from '../../objects/object-change.ts';
import { readStoredList, storedList } from '../../objects/stored-list.ts';
import type { NewObject, TypeRules } from '../../objects/type-rules.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { hashOf, makeSecret } from './client-secret.ts';

export interface ClientRulesParts {
  encryption: Encryption;
  clock: Clock;
  /** The audience of this environment, and all audiences of the installation. */
  audience: string;
  audiences: readonly string[];
  /** If true, the external issuer manages the secrets of clients. */
  hasExternalIssuer: boolean;
}

export function clientRules(parts: ClientRulesParts): TypeRules {
  return {
    create: ({ bodies, check }) => ({
      objects: bodies.map(({ body, path }) => completeClient(parts, check(body, path))),
    }),
    change: ({ body, check }) => {
      const checked = check(body);
      return withMistakes(checked, checkAudiences(parts, checked.change));
    },
  };
}

function completeClient(parts: ClientRulesParts, checked: CheckedBody): NewObject {
  const { change, violations } = withMistakes(checked, [
    ...checkId(parts, checked.change),
    ...checkAudiences(parts, checked.change),
  ]);
  const columns = new Map<string, string>();
  const shownOnce = new Map<string, string>();
  if (!change.columns.has('client_id') && !parts.hasExternalIssuer)
    columns.set('client_id', randomBytes(16).toString('hex'));
  if (!change.columns.has('audiences')) columns.set('audiences', storedList([parts.audience]));
  if (!parts.hasExternalIssuer) {
    const secret = makeSecret();
    const clientId = (change.columns.get('client_id') ?? columns.get('client_id'))!;
    columns.set('secret_hash', hashOf({ clientId, secret }, parts.encryption));
    columns.set('secret_date', renderDateTime(parts.clock.now()));
    shownOnce.set('clientSecret', secret);
  }
  return { change: withColumns(change, columns), violations, shownOnce };
}

/** The external issuer would not know a generated id. */
function checkId({ hasExternalIssuer }: ClientRulesParts, { columns }: ObjectChange): Mistake[] {
  if (!hasExternalIssuer || columns.has('client_id')) return [];
  return [{ name: 'clientId', message: 'is required: the id that the client has at the external issuer.' }];
}

function checkAudiences({ audiences }: ClientRulesParts, { columns }: ObjectChange): Mistake[] {
  const given = columns.get('audiences');
  const unknown = given ? readStoredList(given).filter((audience) => !audiences.includes(audience)) : [];
  return unknown.map((audience) => ({
    name: 'audiences',
    message:
      `has ${JSON.stringify(audience)}, which is not an audience of this installation; use ` +
      `${audiences.join(' and ')}.`,
  }));
}
