// Reads a response as text, of a limited size: whoever answers in place of the service must not fill the memory.

import { FlaghoistError } from '../flaghoist-error.ts';

/** Four times what the service answers at most. */
export const answerBytesMax = 256 * 1024 * 1024;

export async function readText({ body }: Response, bytesMax: number = answerBytesMax): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    length += next.value.length;
    if (length > bytesMax) {
      await reader?.cancel().catch(() => undefined);
      throw new FlaghoistError('invalidAnswer', `The answer has more than ${bytesMax} bytes. Is it from Flaghoist?`);
    }
    text += decoder.decode(next.value, { stream: true });
  }
  return text + decoder.decode();
}
