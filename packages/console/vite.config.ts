// Builds the console into `dist`: hashed names, relative addresses, and each file compressed beside itself, so that the
// service compresses nothing while it serves.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const folder = import.meta.dirname;

const compressed: Plugin = {
  name: 'compressed',
  closeBundle() {
    const assets = join(folder, 'dist/assets');
    for (const name of readdirSync(assets)) {
      const bytes = readFileSync(join(assets, name));
      writeFileSync(join(assets, `${name}.gz`), gzipSync(bytes, { level: 9 }));
      writeFileSync(join(assets, `${name}.br`), brotliCompressSync(bytes));
    }
  },
};

export default defineConfig({
  root: folder,
  // Chunks find each other wherever the service is mounted. The service sets the addresses in index.html.
  base: './',
  logLevel: 'warn',
  plugins: [compressed],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // Data in the page would need `data:` in its Content-Security-Policy.
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
