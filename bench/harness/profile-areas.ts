// Sums up a CPU profile by area instead of by function: HTTP, the database driver, each of our folders, and the engine
// itself. Counts self time only, so that nothing counts twice. Waiting does not count.

import type { CpuProfile, ProfileNode } from './record-profile.ts';

/** Microseconds by area. */
export function timeByArea(profile: CpuProfile): Map<string, number> {
  const parents = parentsOf(profile.nodes);
  const areas = new Map(profile.nodes.map((node) => [node.id, areaOf(node, parents)]));
  const times = new Map<string, number>();
  profile.samples.forEach((id, index) => {
    const area = areas.get(id);
    if (area !== undefined) times.set(area, (times.get(area) ?? 0) + (profile.timeDeltas[index] ?? 0));
  });
  return times;
}

/** The share of busy time spent in functions with these names and in their callees. */
export function shareUnder(profile: CpuProfile, functionNames: readonly string[]): number {
  const parents = parentsOf(profile.nodes);
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const isUnder = (node: ProfileNode | undefined): boolean =>
    node !== undefined && (functionNames.includes(node.callFrame.functionName) || isUnder(parents.get(node.id)));
  let [busy, under] = [0, 0];
  profile.samples.forEach((id, index) => {
    const node = nodes.get(id);
    if (node?.callFrame.functionName === '(idle)') return;
    busy += profile.timeDeltas[index] ?? 0;
    if (isUnder(node)) under += profile.timeDeltas[index] ?? 0;
  });
  return under / busy;
}

function parentsOf(nodes: readonly ProfileNode[]): Map<number, ProfileNode> {
  return new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)));
}

/** Undefined for idle time. A function of the engine itself belongs to its caller. */
function areaOf(node: ProfileNode, parents: Map<number, ProfileNode>): string | undefined {
  const { functionName, url } = node.callFrame;
  if (functionName === '(idle)') return undefined;
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (url !== '') return areaOfFile(url);
  const parent = parents.get(node.id);
  return parent === undefined || parent.callFrame.functionName === '(root)' ? native : areaOf(parent, parents);
}

const native = 'native code outside of JavaScript (sockets, HTTP parser, system calls)';

function areaOfFile(url: string): string {
  return fileAreas.find(([pattern]) => pattern.test(url))?.[1] ?? ours(url);
}

const fileAreas: [RegExp, string][] = [
  [/node_modules\/pg/, 'pg (database driver)'],
  [
    /node_modules\/(fastify|@fastify|find-my-way|avvio|light-my-request|secure-json-parse|process-warning)\//,
    'fastify',
  ],
  [/node_modules\/undici\//, 'undici (HTTP client)'],
  [/node_modules\/(pino|sonic-boom|thread-stream)\//, 'pino (log)'],
  [/node_modules\//, 'other packages'],
  [/^node:(internal\/)?crypto/, 'crypto (ETag, HMAC)'],
  [/^node:(_http|internal\/http|http)/, 'node:http'],
  [
    /^node:(net|stream|_stream|internal\/(streams|stream_base|net|js_stream)|tls|diagnostics_channel)/,
    'node:net and streams',
  ],
  [/^node:/, 'other parts of Node (events, timers, buffers, promises)'],
];

/**
 * `packages/server/dist/objects/read-object.js` belongs to `ours: objects`, another package to its name, and a program
 * of the benchmark to `the program`.
 */
function ours(url: string): string {
  const [, name, folder] = /\/packages\/([\w-]+)\/dist\/(?:(\w[\w-]*)\/)?/.exec(url) ?? [];
  if (name === undefined) return 'the program itself';
  return `ours: ${name === 'server' ? (folder ?? 'service') : name}`;
}
