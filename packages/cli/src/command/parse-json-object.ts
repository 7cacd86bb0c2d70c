// Reads an option that takes a JSON object, or `@` and the name of a file with one.

import { readFileSync } from 'node:fs';
import { usageError } from './command-error.ts';

export function parseJsonObject(option: string, text: string): Record<string, unknown> {
  const json = text.startsWith('@') ? readText(option, text.slice(1)) : text;
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch (error) {
    throw usageError(`${option} is not JSON: ${(error as Error).message}`);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw usageError(`${option} takes a JSON object, like {"name": "value"}.`);
  return parsed as Record<string, unknown>;
}

function readText(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw usageError(`${option}: ${(error as Error).message}`);
  }
}
