// An installation of several processes of each role on one database, as operators run it past one machine.

import { request } from 'undici';
import { type Service, startService } from '../delivery/servers.ts';
import { authorize } from '../harness/service-client.ts';

export interface Installation {
  /** Of the processes with the role `api`. */
  origins: readonly string[];
  headers: Record<string, string>;
  apiPids: readonly number[];
  workerPids: readonly number[];
  stop(): Promise<void>;
}

export interface InstallationPlan {
  databaseUrl: string;
  /** Of each role. */
  processes: number;
  folder: string;
}

export async function startInstallation({ databaseUrl, processes, folder }: InstallationPlan): Promise<Installation> {
  const services: { role: 'api' | 'worker'; service: Service }[] = [];
  const stop = async () => {
    await Promise.all(services.map(({ service }) => service.program.stop()));
  };
  try {
    // One after the other: each compiles for a second, and the machine is small.
    for (let n = 0; n < processes; n += 1)
      for (const role of ['api', 'worker'] as const)
        services.push({ role, service: await startService({ databaseUrl, roles: role, folder }) });
    const of = (wanted: string) => services.filter(({ role }) => role === wanted).map(({ service }) => service);
    const origins = of('api').map(({ origin }) => origin);
    return {
      origins,
      headers: await authorize(origins[0]!),
      apiPids: of('api').map(({ program }) => program.pid),
      workerPids: of('worker').map(({ program }) => program.pid),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** One subscription to all changes of voyages for each receiver, with the whole voyage as the resource. */
export async function subscribeReceivers(
  { origins, headers }: Pick<Installation, 'origins' | 'headers'>,
  receivers: readonly string[],
): Promise<void> {
  for (const url of receivers) {
    const { statusCode, body } = await request(`${origins[0]}/ws/rest/WebhookSubscription`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ eventType: 'Voyage.U', url }),
    });
    const text = await body.text();
    if (statusCode !== 201) throw new Error(`No subscription: status ${statusCode} ${text}`);
  }
}
