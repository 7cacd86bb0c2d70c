// The paths and ports that the files of `deploy/` name are those of the service.

import { expect, test } from 'vitest';
import { settingsTable } from '../../packages/server/src/config/settings-table.ts';
import { buildOpenApi } from '../../packages/server/src/describe/build-openapi.ts';
import { buildModel } from '../../packages/server/src/model/build-model.ts';
import { catalogue } from '../../packages/server/src/model/catalogue/catalogue.ts';
import { descriptionOptions } from '../../packages/server/test/describe/description-options.ts';
import { deployFiles, readDeployed } from './deploy-files.ts';

const paths = Object.keys(buildOpenApi(buildModel(catalogue), descriptionOptions).paths as object);

test('every health path exists', () => {
  const named = deployFiles().flatMap((path) =>
    [...readDeployed(path).matchAll(/(?<![\w.])\/health\/\w+/g)].map(([found]) => found),
  );
  expect(new Set(named)).toEqual(new Set(['/health/live', '/health/ready']));
  expect([...named, '/health', '/metrics'].filter((path) => !paths.includes(path))).toEqual([]);
});

test('the probes of the chart ask the right one', () => {
  const deployments = readDeployed('helm/flaghoist/templates/deployments.yaml');
  expect(deployments).toMatch(/livenessProbe:\n +httpGet: \{ path: \/health\/live, port: http \}/);
  expect(deployments).toMatch(/readinessProbe:\n +httpGet: \{ path: \/health\/ready, port: http \}/);
});

test('the streams that proxies must not buffer are all streams of the service', () => {
  const streams = paths.filter((path) => /^\/ws\/rest\/.*(stream|live)$/.test(path));
  expect(streams.sort()).toEqual(['/ws/rest/WebhookSubscription/{key}/stream', '/ws/rest/live']);
  const nginx = /location ~ (\^\/ws\/rest\S+)/.exec(readDeployed('nginx/flaghoist.conf'))![1]!;
  const caddy = /@stream path (.*)/.exec(readDeployed('caddy/Caddyfile'))![1]!.split(' ');
  const real = streams.map((path) => path.replace('{key}', '1042'));
  expect(real.filter((path) => !new RegExp(nginx).test(path))).toEqual([]);
  expect(caddy.map((path) => path.replace('*', '{key}')).sort()).toEqual(streams.sort());
});

test('the Ingress publishes every path but those for operators', () => {
  const list = /range \$path := list (.*?) \}\}/.exec(readDeployed('helm/flaghoist/templates/ingress.yaml'))![1]!;
  const prefixes = [...list.matchAll(/"([^"]+)"/g)].map(([, prefix]) => prefix!);
  const isPublished = (path: string) => prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
  expect(paths.filter((path) => !isPublished(path)).sort()).toEqual([
    '/health',
    '/health/live',
    '/health/ready',
    '/metrics',
  ]);
});

test.each([
  ['image/Dockerfile', /EXPOSE (\d+)/g],
  ['image/check-health.mjs', /\?\? '(\d+)'/g],
  ['compose/all-in-one.yaml', /127\.0\.0\.1:(\d+):(?=\d)/g],
  ['compose/cluster.yaml', /UPSTREAM_PORT: "(\d+)"/g],
  ['helm/flaghoist/templates/deployments.yaml', /containerPort: (\d+)/g],
  ['helm/flaghoist/templates/services.yaml', / port: (\d+)/g],
  ['nginx/flaghoist.conf', /server [\d.]+:(\d+)/g],
  ['caddy/Caddyfile', /UPSTREAM_PORT:(\d+)/g],
  ['prometheus/prometheus.yaml', /port: (\d+)/g],
])('%s names the port of the service', (path, pattern) => {
  const ports = [...readDeployed(path).matchAll(pattern)].map(([, port]) => port);
  expect(ports.length).toBeGreaterThan(0);
  expect(new Set(ports)).toEqual(new Set([settingsTable.port.fallback]));
});

test('proxies let the largest body through, and the service rejects what is larger', () => {
  const largest = Number(settingsTable.fileBodyBytesMax.fallback);
  const inMillions = [
    /client_max_body_size (\d+)m/.exec(readDeployed('nginx/flaghoist.conf')),
    /max_size (\d+)MB/.exec(readDeployed('caddy/Caddyfile')),
  ].map((found) => Number(found![1]));
  for (const millions of inMillions) expect(millions * 1_000_000).toBeGreaterThan(largest);
});
