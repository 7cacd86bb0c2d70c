// The files of the console, as the package `@flaghoist/console` was built: read once, and served from memory. Each asset
// has its compressed forms beside it.

import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { EncodedFile } from '../response/send-encoded.ts';

export interface ConsoleAsset extends EncodedFile {
  contentType: string;
}

export interface ConsoleFiles {
  page: Buffer;
  etag: string;
  assets: ReadonlyMap<string, ConsoleAsset>;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** Undefined: the console has not been built. `basePath`: where a proxy mounts the service, or empty. */
export function readConsoleFiles(basePath: string): ConsoleFiles | undefined {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@flaghoist/console/package.json')), 'dist');
  const html = readIfThere(join(folder, 'index.html'));
  if (!html) return undefined;
  const page = Buffer.from(placePage(html.toString('utf8'), basePath));
  const etag = `"${hash('sha256', page, 'base64url')}"`;
  return { page, etag, assets: readAssets(join(folder, 'assets')) };
}

/** The page is served at many addresses, so those in it must not be relative. */
function placePage(html: string, basePath: string): string {
  return html
    .replaceAll('"./assets/', `"${basePath}/console/assets/`)
    .replace('name="flaghoist-path" content=""', `name="flaghoist-path" content="${basePath}"`);
}

function readAssets(folder: string): Map<string, ConsoleAsset> {
  const assets = new Map<string, ConsoleAsset>();
  for (const name of readdirSync(folder)) {
    const contentType = contentTypes[extname(name)];
    if (!contentType) continue;
    const plain = readFileSync(join(folder, name));
    const encoded = encodings.flatMap(([encoding, ending]) => {
      const content = readIfThere(join(folder, name + ending));
      return content && content.length < plain.length ? [{ encoding, content }] : [];
    });
    assets.set(name, { contentType, plain, encoded });
  }
  return assets;
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
