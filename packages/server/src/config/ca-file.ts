// Reads a file with certificate authorities (PEM) when the settings are loaded, so that a mistake stops the start.

import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Parse } from './parse-setting.ts';

/** Returns the certificates, each as PEM. */
export const parseCaFile: Parse<readonly string[]> = (path) => {
  const blocks = readText(path).match(/-----BEGIN ([A-Z ]+)-----[^-]*-----END \1-----/g) ?? [];
  if (blocks.length === 0)
    throw new Error('must be a file with certificates as PEM: text that begins with -----BEGIN CERTIFICATE-----');
  for (const [index, block] of blocks.entries()) checkCertificate(block, index + 1);
  return blocks;
};

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`cannot be read: ${(error as Error).message}`);
  }
}

function checkCertificate(block: string, position: number): void {
  if (block.includes('PRIVATE KEY')) throw new Error('must be a file with certificates only; it has a private key');
  try {
    new X509Certificate(block);
  } catch {
    throw new Error(`must be a file with certificates as PEM; number ${position} in it is none`);
  }
}
