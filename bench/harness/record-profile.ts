// Records a CPU profile of another Node process during some work, through its inspector. Start-up is not included.

import { WebSocket } from 'undici';

/** In the format of the inspector protocol. */
export interface CpuProfile {
  nodes: ProfileNode[];
  samples: number[];
  /** Microseconds before each sample. */
  timeDeltas: number[];
}

export interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string };
  children?: number[];
}

/** For `nodeArgs` of the process: any free port on the loopback interface. */
export const inspectorArgument = '--inspect=127.0.0.1:0';

export async function recordProfile(programOutput: string, work: () => Promise<void>): Promise<CpuProfile> {
  const url = /Debugger listening on (ws:\S+)/.exec(programOutput)?.[1];
  if (url === undefined) throw new Error(`The process does not say where its inspector is:\n${programOutput}`);
  const inspector = await openInspector(url);
  try {
    await inspector.call('Profiler.enable');
    await inspector.call('Profiler.setSamplingInterval', { interval: samplingUs });
    await inspector.call('Profiler.start');
    await work();
    const { profile } = (await inspector.call('Profiler.stop')) as { profile: CpuProfile };
    return profile;
  } finally {
    inspector.close();
  }
}

const samplingUs = 500;

interface Inspector {
  call(method: string, params?: object): Promise<unknown>;
  close(): void;
}

async function openInspector(url: string): Promise<Inspector> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error(`No inspector answers at ${url}.`)));
  });
  let count = 0;
  return {
    call: (method, params = {}) =>
      new Promise((resolve) => {
        count += 1;
        waiting.set(count, resolve);
        socket.send(JSON.stringify({ id: count, method, params }));
      }),
    close: () => socket.close(),
  };
}
