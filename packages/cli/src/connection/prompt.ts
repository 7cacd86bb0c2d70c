// Asks for a line on the terminal, or reads it from standard input.

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { usageError } from '../command/command-error.ts';

/** An empty answer is the default. */
export async function prompt(question: string, byDefault: string | undefined): Promise<string> {
  const hint = byDefault === undefined ? '' : ` [${byDefault}]`;
  const answer = await ask(`${question}${hint}: `, process.stderr);
  return answer === '' ? (byDefault ?? '') : answer;
}

/** What is typed is not shown. */
export async function promptHidden(question: string): Promise<string> {
  process.stderr.write(`${question}: `);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const answer = await ask('', nowhere);
  process.stderr.write('\n');
  return answer;
}

/** The first line. */
export async function readLineFromInput(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line.trim();
  return '';
}

async function ask(question: string, output: NodeJS.WritableStream): Promise<string> {
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  const cancelled = new Promise<never>((_, reject) => {
    lines.once('SIGINT', () => reject(usageError('Cancelled.')));
    lines.once('close', () => reject(usageError('Nothing was entered.')));
  });
  try {
    return (await Promise.race([lines.question(question), cancelled])).trim();
  } finally {
    lines.close();
  }
}
