// Model files for tests, and how they are refused.

import { extendCatalogue } from '../../src/model/model-file/read-model-file.ts';

export function refusalOf(file: unknown): string {
  try {
    extendCatalogue(typeof file === 'string' ? file : JSON.stringify(file), 'model.json');
  } catch (error) {
    return (error as Error).message;
  }
  return 'not refused';
}

/** The places that a refusal names. */
export function placesOf(file: unknown): string[] {
  return [...refusalOf(file).matchAll(/^- ([^:]+):/gm)].map(([, place]) => place!);
}

export const text = { kind: 'text' };
export const toUser = { kind: 'reference', to: 'ApiUser', isRequired: true };

/** A file with one attribute, as JSON. */
export function attribute(details: object): string {
  return JSON.stringify({ types: { A: { attributes: { b: details } } } });
}
