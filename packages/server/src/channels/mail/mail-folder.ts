// The mail channel without a mail server: saves each mail as a file with exactly the bytes that would have been sent.

import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../clock.ts';
import type { Mailbox } from '../../config/mailbox.ts';
import type { SendResult } from '../send-result.ts';
import { composeMessage } from './compose-message.ts';
import type { Mail, MailChannel } from './mail.ts';

export function createMailFolder(folder: string, from: Mailbox, clock: Clock = systemClock): MailChannel {
  return {
    send: (mail) => saveMail(mail, { folder, from, now: clock.now() }),
    close: async () => undefined,
  };
}

async function saveMail(
  mail: Mail,
  { folder, from, now }: { folder: string; from: Mailbox; now: Date },
): Promise<SendResult> {
  const message = await composeMessage(mail, from, now);
  if (message.kind !== 'composed') return message;
  const name = fileName(mail.id, now);
  try {
    await writeWhole(folder, name, message.bytes);
  } catch (error) {
    return { kind: 'ownFault', reason: `The mail cannot be saved as a file: ${(error as Error).message}.` };
  }
  return { kind: 'delivered', statusCode: null, answer: `Saved as ${name}.` };
}

function fileName(id: string, now: Date): string {
  const time = now.toISOString().replace(/[-:]/g, '');
  return `${time}-${id.replace(/[^\w-]/g, '-').slice(0, 100)}.eml`;
}

/** Writes to a temporary file and renames it, so that readers of the folder see only complete files. */
async function writeWhole(folder: string, name: string, bytes: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = join(folder, `.${randomUUID()}.part`);
  try {
    await writeFile(temporary, bytes, { mode: 0o600, flag: 'wx', flush: true });
    await rename(temporary, join(folder, name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
