// Reads the hosts file of the machine. Containers and clusters use it to give their neighbours names.

import { readFile } from 'node:fs/promises';

/** The default path. */
export const systemHostsFile =
  process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

const keptMs = 5_000;

export class HostsFile {
  readonly #path: string;
  #names: Promise<ReadonlyMap<string, readonly string[]>> | undefined;
  #readAtMs = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** `name` in lower case. */
  async addressesOf(name: string): Promise<readonly string[] | undefined> {
    const nowMs = performance.now();
    if (!this.#names || nowMs - this.#readAtMs > keptMs) {
      this.#readAtMs = nowMs;
      // If the file is missing or not readable, the machine defines no names of its own.
      this.#names = readFile(this.#path, 'utf8').then(parseHosts, () => new Map());
    }
    return (await this.#names).get(name);
  }
}

function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...aliases] = line.replace(/#.*/, '').trim().split(/\s+/);
    for (const alias of aliases) {
      const name = alias.toLowerCase();
      const known = names.get(name);
      if (known) known.push(address);
      else names.set(name, [address]);
    }
  }
  return names;
}
