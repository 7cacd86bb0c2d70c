// Builds the file tree of an image, in a compiled checkout: /app with the packages of Flaghoist, as they are published,
// and with their production dependencies from the lock file; and /usr/share/flaghoist with the bill of materials.
//
//   npm ci && npm run build && node deploy/image/build-tree.mjs <all-in-one|server> <folder>

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
/** With an external PostgreSQL, the programs of the embedded one are dead weight. They are optional dependencies. */
const omitted = { 'all-in-one': ['dev'], server: ['dev', 'optional'] };

const [target, folder] = process.argv.slice(2);
if (!Object.hasOwn(omitted, target) || folder === undefined) exitWithUsage();
buildTree(resolve(folder), omitted[target]);

function buildTree(tree, kinds) {
  if (existsSync(tree)) throw new Error(`${tree} exists already. Name a new folder.`);
  const app = join(tree, 'app');
  const shared = join(tree, 'usr/share/flaghoist');
  const omit = kinds.map((kind) => `--omit=${kind}`);
  mkdirSync(shared, { recursive: true });
  copyPublished(app);
  npm(['ci', ...omit, '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], app);
  forgetDevelopment(app);
  const materials = npm(['sbom', ...omit, '--sbom-format=cyclonedx', '--sbom-type=application'], app);
  writeFileSync(join(shared, 'sbom.cdx.json'), materials);
  removeDeclarations(app);
  cpSync(join(import.meta.dirname, 'check-health.mjs'), join(shared, 'check-health.mjs'));
  cpSync(join(root, 'LICENSE'), join(shared, 'LICENSE'));
}

/** The files that `npm pack` would publish, at the same places as in the checkout, because the lock file has these. */
function copyPublished(app) {
  for (const name of ['package.json', 'package-lock.json']) copy(name, app);
  const folders = new Map(manifestsIn(root).map((path) => [readJson(join(root, path)).name, dirname(path)]));
  const packed = JSON.parse(npm(['pack', '--workspaces', '--dry-run', '--json', '--ignore-scripts'], root));
  for (const { name, files } of packed) for (const { path } of files) copy(join(folders.get(name), path), app);
}

function manifestsIn(folder) {
  return readdirSync(join(folder, 'packages')).map((name) => join('packages', name, 'package.json'));
}

function copy(path, app) {
  mkdirSync(dirname(join(app, path)), { recursive: true });
  cpSync(join(root, path), join(app, path));
}

/** Without it, `npm sbom` reports that packages for development are missing. The service reads none of this. */
function forgetDevelopment(app) {
  for (const path of ['package.json', ...manifestsIn(app)]) {
    const { devDependencies, scripts, allowScripts, ...manifest } = readJson(join(app, path));
    writeFileSync(join(app, path), `${JSON.stringify(manifest, null, 2)}\n`);
  }
  for (const path of ['package-lock.json', 'node_modules/.package-lock.json']) rmSync(join(app, path));
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Nothing compiles against an image. Packages of ours are listed twice: they are linked. */
function removeDeclarations(app) {
  const files = readdirSync(app, { recursive: true }).filter((path) => /\.d\.[cm]?ts(\.map)?$/.test(path));
  for (const path of files) rmSync(join(app, path), { force: true });
}

function npm(args, cwd) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(?!config_)/i.test(name)));
  return execFileSync('npm', args, { cwd, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}

function exitWithUsage() {
  process.stderr.write(`Usage: node deploy/image/build-tree.mjs <${Object.keys(omitted).join('|')}> <folder>\n`);
  process.exit(2);
}
