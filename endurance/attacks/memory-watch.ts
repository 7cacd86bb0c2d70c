// Peak memory of the service (RSS), and of a PostgreSQL server with all its processes (PSS, so that shared memory
// counts once).

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export interface PeakMemory {
  serviceMb: number;
  postgresMb: number;
}

const lookedEveryMs = 250;

export class MemoryWatch {
  readonly #peak: PeakMemory = { serviceMb: 0, postgresMb: 0 };
  readonly #done: Promise<void>;
  #isStopping = false;

  constructor(servicePid: number, postmasterPid: number) {
    this.#done = this.#look(servicePid, postmasterPid);
  }

  async stop(): Promise<PeakMemory> {
    this.#isStopping = true;
    await this.#done;
    return this.#peak;
  }

  async #look(servicePid: number, postmasterPid: number): Promise<void> {
    // The kernel keeps the peak, which polling would miss. This resets it.
    await writeFile(`/proc/${servicePid}/clear_refs`, '5').catch(() => undefined);
    while (!this.#isStopping) {
      const serviceMb = await readMb(`/proc/${servicePid}/status`, /^VmHWM:\s+(\d+)/m);
      const sizes = await Promise.all(
        (await processesOf(postmasterPid)).map((pid) => readMb(`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+)/m)),
      );
      const postgresMb = sizes.reduce((sum, size) => sum + size, 0);
      this.#peak.serviceMb = Math.max(this.#peak.serviceMb, serviceMb);
      this.#peak.postgresMb = Math.max(this.#peak.postgresMb, postgresMb);
      await sleep(lookedEveryMs);
    }
  }
}

/** The server and its children. */
async function processesOf(postmasterPid: number): Promise<number[]> {
  const children = await readFile(`/proc/${postmasterPid}/task/${postmasterPid}/children`, 'utf8').catch(() => '');
  if (children !== '') return [postmasterPid, ...children.trim().split(' ').map(Number)];
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  const isChild = (stat: string) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === postmasterPid;
  return [postmasterPid, ...pids.filter((_, index) => isChild(parents[index]!))];
}

async function readMb(file: string, pattern: RegExp): Promise<number> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return Number(pattern.exec(text)?.[1] ?? 0) / 1024;
}
