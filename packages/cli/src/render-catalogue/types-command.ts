// `flaghoist types`: writes the types of an installation's own object types, for the SDK.

import { writeFile } from 'node:fs/promises';
import { CommandError, usageError } from '../command/command-error.ts';
import type { ConnectionOptions } from '../command/service-command.ts';
import { findUrl } from '../connection/connect.ts';
import { printResult } from '../terminal/output.ts';
import { fetchDescription } from './fetch-description.ts';
import { findResource } from './find-resource.ts';
import { renderCatalogue, withReferred } from './render-catalogue.ts';
import { findResources } from './resources.ts';

export interface TypesOptions extends ConnectionOptions {
  apiVersion?: string;
  only?: string[];
  out?: string;
  json?: boolean;
}

export async function writeTypes(options: TypesOptions): Promise<void> {
  const { apiVersion, only, out } = options;
  const chosen = only === undefined ? undefined : parseNames(only);
  const description = await fetchDescription(await findUrl(options), apiVersion);
  const resources = findResources(description);
  const names = chosen?.map((name) => findResource(resources, name).name);
  const objectTypes = withReferred(resources, names ?? resources.map(({ name }) => name)).map(({ name }) => name);
  const text = renderCatalogue(description, names);
  if (out === undefined) {
    printResult(options, { objectTypes, types: text }, text);
    return;
  }
  await writeFile(out, text).catch((error: Error) => {
    throw new CommandError(`--out: ${error.message}`);
  });
  const written = `${out} is written: ${objectTypes.length} object types.\n`;
  printResult(options, { file: out, bytes: Buffer.byteLength(text), objectTypes }, written);
}

function parseNames(only: readonly string[]): string[] {
  const names = only.flatMap((one) => one.split(',')).flatMap((one) => one.trim() || []);
  if (names.length === 0) throw usageError('--only takes object types, like Voyage,PortCall.');
  return names;
}
