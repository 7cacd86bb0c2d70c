// What stands for a secret wherever secrets are not shown: in answers, and in commands that mails suggest.

export const placeholder = '***';

/** For secrets that are sent. Otherwise a command of a mail that was not filled in would store the placeholder. */
export function checkPlaceholder(secret: string | null | undefined): string | undefined {
  return secret === placeholder ? `cannot be ${placeholder}, which stands for a secret: send the secret.` : undefined;
}
