// Links that sign in to the console once: the first start and `flaghoist console-link` create them. `sign-in-by-link.ts`
// uses them up.

import { randomBytes } from 'node:crypto';
import { audienceOf } from '../../config/audience-of.ts';
import type { Settings } from '../../config/settings-table.ts';
import type { Actor, Database } from '../../database/database.ts';
import { consoleLinkUrl } from '../../paths.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { insertLink, type LinkUser, selectLinkUser } from './console-link-table.ts';

export const linkMinutes = 10;

export interface LinkParts {
  settings: Settings;
  database: Database;
  encryption: Encryption;
  baseUrl: string;
}

/** `userCode`: undefined for the first administrator. */
export async function findLinkUser(
  { settings, database }: Pick<LinkParts, 'settings' | 'database'>,
  userCode?: string,
): Promise<LinkUser | undefined> {
  const [user] = await database.run(selectLinkUser(userCode, audienceOf(settings)));
  return user as unknown as LinkUser | undefined;
}

export interface ConsoleLink {
  url: string;
  /** In UTC, in the format of the API. */
  expiresDate: string;
}

export async function makeLink(
  { database, encryption, baseUrl }: LinkParts,
  userKey: number,
  actor: Actor,
): Promise<ConsoleLink> {
  // 256 random bits. The prefix lets secret scanners find a leaked code.
  const code = `fhl_${userKey}_${randomBytes(32).toString('base64url')}`;
  const statement = insertLink(hashOfCode({ code, userKey }, encryption), userKey, linkMinutes * 60);
  const [rows] = await database.runTogether(actor, [statement]);
  return { url: consoleLinkUrl(baseUrl, code), expiresDate: rows![0]!.expires as string };
}

/** For the first administrator. Undefined: people sign in at an external issuer. */
export async function makeFirstLink(parts: LinkParts): Promise<ConsoleLink | undefined> {
  const user = parts.settings.issuerUrl === undefined ? await findLinkUser(parts) : undefined;
  return user && makeLink(parts, user.key, { userKey: undefined, client: 'bootstrap' });
}

export interface LinkCode {
  code: string;
  userKey: number;
}

export function parseCode(code: string): LinkCode | undefined {
  const [, userKey] = /^fhl_([1-9]\d{0,15})_[\w-]{43}$/.exec(code) ?? [];
  return userKey === undefined ? undefined : { code, userKey: Number(userKey) };
}

/** The hash as it is stored. It covers the user: a link cannot be given to another user in the table. */
export function hashOfCode({ code, userKey }: LinkCode, encryption: Encryption): string {
  return encryption.hashSecret(`console link ${userKey}`, code).toString('base64url');
}
