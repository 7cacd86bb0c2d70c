// Every container of the compose files is confined, limited and checked, and what it mounts exists.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deployFolder, parseYaml } from './deploy-files.ts';

interface Service {
  image: string;
  build?: { context: string; dockerfile: string; target: string };
  user?: string;
  restart?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  volumes?: string[];
  ports?: string[];
  secrets?: string[];
  networks?: string[] | Record<string, { ipv4_address: string }>;
  environment?: Record<string, string>;
  healthcheck?: unknown;
  depends_on?: string[] | Record<string, unknown>;
  deploy?: { replicas?: number; resources?: { limits?: { cpus: string; memory: string; pids: number } } };
}
interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  networks?: Record<string, unknown>;
  secrets?: Record<string, { file: string }>;
}

const files = ['compose/all-in-one.yaml', 'compose/cluster.yaml'].map((path) => parseYaml<Compose>(path)[0]!);
const containers = files.flatMap((file) =>
  Object.entries(file.services).map(([name, service]) => ({ name, service, file })),
);

describe.each(containers)('the container $name', ({ service, file }) => {
  test('is confined: read-only, without capabilities, limited, and started again', () => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(service.restart).toMatch(/^(unless-stopped|on-failure:\d+)$/);
    const { cpus, memory, pids } = service.deploy!.resources!.limits!;
    expect([Number(cpus) > 0, /^\d+[MG]$/.test(memory), pids > 0]).toEqual([true, true, true]);
  });

  test('has a pinned image, and a health check of its own or of the image', () => {
    expect(service.image).toMatch(/:v?\d/);
    expect(service.healthcheck !== undefined || service.image.startsWith('flaghoist:')).toBe(true);
  });

  test('mounts and refers to what exists', () => {
    for (const [source] of (service.volumes ?? []).map((volume) => volume.split(':')))
      if (source!.startsWith('.')) expect(existsSync(join(deployFolder, 'compose', source!)), source).toBe(true);
      else expect(file.volumes).toHaveProperty(source!);
    for (const name of service.secrets ?? []) expect(file.secrets).toHaveProperty(name);
    for (const name of namesIn(service.networks)) expect(file.networks).toHaveProperty(name);
    for (const name of namesIn(service.depends_on)) expect(file.services).toHaveProperty(name);
    if (service.build) expect(existsSync(join(deployFolder, 'compose', '../..', service.build.dockerfile))).toBe(true);
  });

  test('is reached from this machine only', () => {
    expect((service.ports ?? []).filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });
});

function namesIn(references: string[] | Record<string, unknown> = []): string[] {
  return Array.isArray(references) ? references : Object.keys(references);
}

test('the cluster has two processes of each role, which believe its proxy', () => {
  const { api, worker, proxy } = files[1]!.services;
  expect([api!.deploy!.replicas, worker!.deploy!.replicas]).toEqual([2, 2]);
  expect([api!.environment!.FLAGHOIST_ROLES, worker!.environment!.FLAGHOIST_ROLES]).toEqual(['api', 'worker']);
  const { front } = proxy!.networks as Record<string, { ipv4_address: string }>;
  expect(api!.environment!.FLAGHOIST_TRUSTED_PROXIES).toBe(front!.ipv4_address);
});
