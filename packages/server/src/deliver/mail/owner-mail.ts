// The frame of a mail to the owner of a subscription: the greeting, why it was sent, and a link to the subscription.

import type { Mail } from '../../channels/mail/mail.ts';
import { subscriptionPage } from '../../paths.ts';
import { type MailBlock, renderMailPage, type Tone } from './mail-page.ts';
import { shorten } from './mail-text.ts';

export interface OwnerMail {
  id: string;
  subscriptionKey: number;
  owner: { name: string; email: string };
  title: string;
  /** The first paragraph, also shown beside the subject. */
  opening: string;
  tone: Tone;
  badge: string;
  blocks: readonly MailBlock[];
  baseUrl: string;
}

export function composeOwnerMail(mail: OwnerMail): Mail {
  const { id, subscriptionKey, owner, title, opening, tone, badge, blocks, baseUrl } = mail;
  const page = renderMailPage({
    title,
    preview: opening,
    tone,
    badge,
    blocks: [{ kind: 'paragraph', text: greeting(owner.name) }, { kind: 'paragraph', text: opening }, ...blocks],
    footer: `You get this mail because you own this subscription: ${subscriptionPage(baseUrl, subscriptionKey)}`,
  });
  return {
    id,
    to: owner.email,
    subject: `Flaghoist: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
    ...page,
    attachment: undefined,
    headers: { 'List-Id': `Flaghoist alerts <alerts.${new URL(baseUrl).hostname}>` },
  };
}

const nameMax = 100;

function greeting(name: string): string {
  return name.trim() === '' ? 'Hello,' : `Hello ${shorten(name.trim(), nameMax)},`;
}
