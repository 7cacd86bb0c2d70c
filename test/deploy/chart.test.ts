// The chart knows the settings of the service: each is a value, comes from the Secret, or is set by the chart.

import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parseYaml, readDeployed, settingRows } from './deploy-files.ts';

const schema = JSON.parse(readDeployed('helm/flaghoist/values.schema.json'));
const [values] = parseYaml<Record<string, unknown>>('helm/flaghoist/values.yaml');
const [chart] = parseYaml<{ version: string; appVersion: string }>('helm/flaghoist/Chart.yaml');
const pod = readDeployed('helm/flaghoist/templates/_pod.tpl');

const validate = new Ajv({ allErrors: true, strict: false }).compile(schema);

/** Set by the image or the chart. */
const ofChart = [
  'FLAGHOIST_BASE_URL',
  'FLAGHOIST_CA_FILE',
  'FLAGHOIST_DATA_DIR',
  'FLAGHOIST_HOST',
  'FLAGHOIST_MODEL_FILE',
  'FLAGHOIST_PORT',
  'FLAGHOIST_ROLES',
];
/** Of a command that nobody runs in a cluster. */
const unused = ['FLAGHOIST_DEMO_CLIENT_SECRET'];

test('`settings` takes every setting that is neither secret nor set by the chart', () => {
  const names = settingRows.filter(({ isSecret }) => !isSecret).map(({ variable }) => variable);
  expect(schema.properties.settings.propertyNames.enum.sort()).toEqual(
    names.filter((name) => !ofChart.includes(name)).sort(),
  );
});

test('every secret setting comes from the Secret, and two of them must', () => {
  const required = [.../list ("DATABASE_URL".*?) \}\}/.exec(pod)![1]!.matchAll(/"(\w+)"/g)].map(([, name]) => name!);
  const optional = [...pod.matchAll(/^- ((?:FLAGHOIST|OTEL)_\w+)$/gm)].map(([, name]) => name!);
  expect(required).toEqual(['DATABASE_URL', 'FLAGHOIST_ENCRYPTION_KEY']);
  const secrets = settingRows.filter(({ isSecret }) => isSecret).map(({ variable }) => variable);
  expect([...required, ...optional].sort()).toEqual(secrets.filter((name) => !unused.includes(name)).sort());
});

test('services called flaghoist do not become settings', () => {
  expect(pod).toContain('enableServiceLinks: false');
});

test('the schema accepts the default values, and has each of them', () => {
  expect(validate(values), JSON.stringify(validate.errors)).toBe(true);
  expect(Object.keys(schema.properties).sort()).toEqual([...Object.keys(values!), 'global'].sort());
});

test.each([
  ['an unknown value', { replicas: 3 }],
  ['an unknown value of a part', { api: { replica: 3 } }],
  ['an unknown setting', { settings: { FLAGHOIST_PORTS: 1 } }],
  ['a secret setting', { settings: { DATABASE_URL: 'postgres://' } }],
  ['a wrong digest', { image: { digest: 'sha256:1' } }],
  ['a wrong metric', { worker: { autoscaling: { metric: 'memory' } } }],
])('the schema rejects %s', (_, given) => {
  expect(validate(given)).toBe(false);
});

test('chart, application and packages have one version', () => {
  const { version } = JSON.parse(readDeployed('../packages/server/package.json'));
  expect(chart).toMatchObject({ version, appVersion: version });
  expect(readDeployed('image/Dockerfile').match(/ARG VERSION=\S+/g)).toEqual([
    `ARG VERSION=${version}`,
    `ARG VERSION=${version}`,
  ]);
  for (const path of ['compose/all-in-one.yaml', 'compose/cluster.yaml'])
    expect(readDeployed(path)).toContain(`image: flaghoist:${version}`);
});
