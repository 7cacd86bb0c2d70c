// Says at the end of a test run how much was searched for secrets, over all test services.

import { readFile, rm } from 'node:fs/promises';
import type { Searched } from './planted-secrets.ts';

export async function tellSearched(file: string): Promise<void> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  await rm(file, { force: true });
  if (lines.length === 0) return;
  const searched = lines.map((line) => JSON.parse(line) as Searched);
  const sum = (of: keyof Searched) => searched.reduce((total, one) => total + one[of], 0).toLocaleString('en');
  process.stdout.write(
    `Searched for secrets: ${sum('answerBytes')} bytes of answers, ${sum('logLines')} lines of log and ` +
      `${sum('tableRows')} rows of tables; test services: ${lines.length}.\n`,
  );
}
