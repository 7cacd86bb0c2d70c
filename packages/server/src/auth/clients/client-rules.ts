// The rules for an ApiClient beyond the model. A client without an id, a secret or an audience gets one; the default
// audience is that of this environment. All audiences must be audiences of the installation.

import { randomBytes } from 'node:crypto';
import { type Clock, renderDateTime } from '../../clock.ts';
import { audienceOf } from '../../config/audience-of.ts';
import type { Settings } from '../../config/settings-table.ts';
import type { CheckedBody } from '../../objects/check-body.ts';
import { type Mistake, withMistakes } from '../../objects/mistake.ts';
import { type ObjectChange, withColumns } from '../../objects/object-change.ts';
import { readStoredList, storedList } from '../../objects/stored-list.ts';
import type { NewObject, TypeRules } from '../../objects/type-rules.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { hashOf, makeSecret } from './client-secret.ts';

/** The rules for the types that this room owns. */
export function accessRules(settings: Settings, encryption: Encryption, clock: Clock): ReadonlyMap<string, TypeRules> {
  const parts = { settings, encryption, clock };
  const client: TypeRules = {
    create: ({ bodies, check }) => ({
      objects: bodies.map(({ body, path }) => completeClient(parts, check(body, path))),
    }),
    change: ({ body, check }) => {
      const checked = check(body);
      return withMistakes(checked, checkAudiences(settings, checked.change));
    },
  };
  return new Map([['ApiClient', client]]);
}

interface RuleParts {
  settings: Settings;
  encryption: Encryption;
  clock: Clock;
}

function completeClient({ settings, encryption, clock }: RuleParts, checked: CheckedBody): NewObject {
  const { change, violations } = withMistakes(checked, [
    ...checkId(settings, checked.change),
    ...checkAudiences(settings, checked.change),
  ]);
  const columns = new Map<string, string>();
  const shownOnce = new Map<string, string>();
  if (!change.columns.has('audiences')) columns.set('audiences', storedList([audienceOf(settings)]));
  // An external issuer chooses the ids of clients and manages their secrets.
  if (settings.issuerUrl === undefined) {
    const secret = makeSecret();
    const clientId = change.columns.get('client_id') ?? randomBytes(16).toString('hex');
    columns.set('client_id', clientId);
    columns.set('secret_hash', hashOf({ clientId, secret }, encryption));
    columns.set('secret_date', renderDateTime(clock.now()));
    shownOnce.set('clientSecret', secret);
  }
  return { change: withColumns(change, columns), violations, shownOnce };
}

/** The external issuer would not know a generated id. */
function checkId({ issuerUrl }: Settings, { columns }: ObjectChange): Mistake[] {
  if (issuerUrl === undefined || columns.has('client_id')) return [];
  return [{ name: 'clientId', message: 'is required: the id that the client has at the external issuer.' }];
}

function checkAudiences({ audienceProduction, audienceTest }: Settings, { columns }: ObjectChange): Mistake[] {
  const audiences = [audienceProduction, audienceTest];
  const given = columns.get('audiences');
  const unknown = given ? readStoredList(given).filter((audience) => !audiences.includes(audience)) : [];
  return unknown.map((audience) => ({
    name: 'audiences',
    message:
      `has ${JSON.stringify(audience)}, which is not an audience of this installation; use ` +
      `${audiences.join(' and ')}.`,
  }));
}
