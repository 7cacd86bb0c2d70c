// Reads `auth` in `channelInfo`: how the service authenticates itself to the receiver. What is shown is stored apart
// from the secret, which is encrypted. No message repeats a secret.

import { type AuthType, type ChannelType, channelTypes } from '../../channel-types.ts';
import type { AddressChecks } from '../../channels/registry/channel-registry.ts';
import type { JsonObject, JsonValue } from '../../json/parse-json.ts';
import { authDeclarations } from '../../model/catalogue/channel-settings.ts';
import { membersOf } from '../../model/catalogue/member-schema.ts';
import { checkMembers } from '../../objects/check-members.ts';
import { nameOf, type StoredValue } from '../../objects/check-scalar.ts';
import type { Mistake } from '../../objects/mistake.ts';
import { checkCertificate, checkKeyPair } from './check-certificate.ts';
import { checkCredentials } from './check-credentials.ts';
import { checkPlaceholder } from './placeholder.ts';

/** Everything but the secret. */
export type ShownAuth = { readonly type: AuthType } & Readonly<Record<string, string>>;

export interface ReadAuth {
  shown: ShownAuth | undefined;
  /** Null: there is none any more. Undefined: as before. */
  secret: string | null | undefined;
  mistakes: Mistake[];
}

interface AuthContext {
  channelType: ChannelType;
  addresses: AddressChecks;
}

/** `kept`: as stored, if the channel stays the same. */
export function readAuth(sent: JsonValue | undefined, kept: ShownAuth | undefined, context: AuthContext): ReadAuth {
  if (sent === undefined) return { shown: kept, secret: kept ? undefined : null, mistakes: [] };
  if (sent === null) return { shown: undefined, secret: null, mistakes: [] };
  const { authTypes } = channelTypes[context.channelType];
  if (authTypes.length === 0) return rejected('auth', `cannot be set: ${context.channelType} has no authorization.`);
  if (!(sent instanceof Map)) return rejected('auth', `must be an object with a type, not ${nameOf(sent)}.`);
  const type = authTypes.find((each) => each === sent.get('type'));
  if (type === undefined) return rejected('auth.type', `must be ${authTypes.join(' or ')}.`);
  return readMembers(type, sent, kept, context);
}

const membersByType = new Map(
  Object.entries(authDeclarations).map(([type, { members }]) => [type, membersOf(members)]),
);

function readMembers(type: AuthType, sent: JsonObject, kept: ShownAuth | undefined, context: AuthContext): ReadAuth {
  const { secret: secretName, boundTo } = authDeclarations[type];
  const members = new Map([...sent].filter(([name, value]) => name !== 'type' && value !== null));
  const { given, mistakes } = checkMembers(membersByType.get(type)!, members, `is not part of ${type}.`);
  const secret = given.get(secretName) ?? undefined;
  const shown = { type, ...Object.fromEntries([...given].filter(([name]) => name !== secretName)) } as ShownAuth;
  const isSame = kept?.type === type && boundTo.every((name) => kept[name] === shown[name]);
  if (mistakes.length === 0 && secret === undefined && !isSame)
    mistakes.push({ name: secretName, message: 'is required.' });
  mistakes.push(...mistakeAt(secretName, checkPlaceholder(secret)));
  if (mistakes.length === 0) mistakes.push(...authChecks[type](given, context));
  return {
    shown,
    secret,
    mistakes: mistakes.map(({ name, message }) => ({ name: `channelInfo.auth.${name}`, message })),
  };
}

type Given = ReadonlyMap<string, StoredValue>;

const authChecks: Record<AuthType, (given: Given, context: AuthContext) => Mistake[]> = {
  OAUTH2: (given, { addresses }) => [
    ...mistakeAt('tokenUrl', addresses.HTTP.check(given.get('tokenUrl')!)),
    ...['clientId', 'clientSecret', 'scope', 'audience'].flatMap((name) =>
      mistakeAt(name, checkPlain(given.get(name) ?? undefined)),
    ),
  ],
  MTLS: (given) => [
    ...mistakeAt('certificate', checkCertificate(given.get('certificate')!, new Date())),
    ...mistakeAt('privateKey', checkKeyPair(given.get('certificate')!, given.get('privateKey') ?? undefined)),
  ],
  CREDENTIALS: (given) => mistakeAt('credentials', checkCredentials(given.get('credentials') ?? undefined)),
};

function checkPlain(text: string | undefined): string | undefined {
  if (text === '') return 'cannot be empty.';
  return text !== undefined && /\p{Cc}/u.test(text) ? 'cannot have control characters.' : undefined;
}

function mistakeAt(name: string, message: string | undefined): Mistake[] {
  return message === undefined ? [] : [{ name, message }];
}

function rejected(name: string, message: string): ReadAuth {
  return { shown: undefined, secret: undefined, mistakes: [{ name: `channelInfo.${name}`, message }] };
}
