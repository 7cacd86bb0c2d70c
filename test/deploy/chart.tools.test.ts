// Helm renders the chart, and every object is valid by the schemas of Kubernetes.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { loadSettings } from '../../packages/server/src/config/load-settings.ts';
import { runTool } from '../tools/run-tool.ts';
import { chartFolder } from './deploy-files.ts';
import { goTool, withGoTools } from './deploy-tools.ts';

const timeout = 60 * 60_000;
/** Helm renders without a cluster, so it needs to know the version. */
const kubernetesVersion = '1.30';
const valuesFile = (name: string) => join(import.meta.dirname, `values/${name}.yaml`);

interface Rendered {
  kind: string;
  metadata: { name: string };
  spec: {
    template: { spec: PodSpec };
    selector: { matchLabels: Record<string, string> };
    metrics: unknown[];
  };
}
interface PodSpec {
  automountServiceAccountToken: boolean;
  enableServiceLinks: boolean;
  securityContext: unknown;
  containers: { env: Variable[]; securityContext: unknown }[];
}
interface Variable {
  name: string;
  value?: string;
  valueFrom?: unknown;
}

async function render(values: string, ...more: string[]): Promise<Rendered[]> {
  const version = ['--kube-version', `${kubernetesVersion}.0`];
  const args = ['template', 'flaghoist', chartFolder, ...version, '-f', valuesFile(values), ...more];
  const documents = parseAllDocuments(await runTool(await goTool('helm'), args));
  return documents.flatMap((document) => (document.toJS() as Rendered | null) ?? []);
}

/** Those of the Prometheus operator have no schema in Kubernetes. */
async function checkObjects(objects: Rendered[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'flaghoist-chart-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const known = objects.filter(({ kind }) => kind !== 'ServiceMonitor');
  // JSON is YAML, of any version.
  for (const object of known)
    writeFileSync(join(folder, `${object.kind}-${object.metadata.name}.yaml`), JSON.stringify(object));
  await runTool(await goTool('kubectl-validate'), [folder, '--version', kubernetesVersion]);
}

for (const values of ['required', 'full'])
  test(`all objects are valid with the ${values} values`, { timeout }, (context) =>
    withGoTools(context, ['helm', 'kubectl-validate'], async () => {
      const objects = await render(values);
      expect(objects.length).toBeGreaterThan(8);
      await checkObjects(objects);
    }),
  );

test('a wrong object is found', { timeout }, (context) =>
  withGoTools(context, ['helm', 'kubectl-validate'], async () => {
    const objects = await render('required');
    const [deployment] = objects.filter(({ kind }) => kind === 'Deployment');
    Object.assign(deployment!.spec, { replica: 2 });
    await expect(checkObjects(objects)).rejects.toThrow('replica');
  }),
);

test('all pods are confined, and get settings that the service accepts', { timeout }, (context) =>
  withGoTools(context, ['helm', 'kubectl-validate'], async () => {
    const pods = (await render('full')).filter(({ kind }) => ['Deployment', 'Job'].includes(kind));
    expect(pods).toHaveLength(3);
    for (const { spec } of pods) expectConfined(spec.template.spec);
    const given = pods.map(({ spec }) => settingsOf(spec.template.spec));
    expect(given.map(({ roles }) => [...roles])).toEqual([['api'], ['worker'], ['api', 'worker']]);
    expect(given[0]).toMatchObject({ environment: 'production', databaseConnections: 8, bodyBytesMax: 10_485_760 });
  }),
);

function expectConfined(pod: PodSpec): void {
  expect(pod).toMatchObject({
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  });
  for (const { securityContext } of pod.containers)
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
}

/** As the service reads them. What comes from the Secret has no value here, and the file of authorities is missing. */
function settingsOf({ containers }: PodSpec) {
  const variables = containers[0]!.env.filter(({ name }) => name !== 'FLAGHOIST_CA_FILE');
  const { settings, unknown } = loadSettings(Object.fromEntries(variables.map(({ name, value }) => [name, value])));
  expect(unknown).toEqual([]);
  return settings;
}

test('the workers are scaled by the age of the backlog', { timeout }, (context) =>
  withGoTools(context, ['helm', 'kubectl-validate'], async () => {
    const [, worker] = (await render('full')).filter(({ kind }) => kind === 'HorizontalPodAutoscaler');
    expect(worker!.spec.metrics).toMatchObject([
      {
        external: { metric: { name: 'flaghoist_backlog_age_seconds', selector: { matchLabels: { queue: 'ready' } } } },
      },
    ]);
  }),
);

test('a missing or unknown value is rejected by name', { timeout }, (context) =>
  withGoTools(context, ['helm', 'kubectl-validate'], async () => {
    await expect(render('required', '--set', 'baseUrl=')).rejects.toThrow('baseUrl is required');
    await expect(render('required', '--set', 'existingSecret=')).rejects.toThrow('existingSecret is required');
    await expect(render('required', '--set', 'replicas=2')).rejects.toThrow("'replicas' not allowed");
  }),
);
