// Every setting that a file of `deploy/` names is one of the service, has a value that the service accepts, and no
// secret has a value.

import { expect, test } from 'vitest';
import { loadSettings } from '../../packages/server/src/config/load-settings.ts';
import { deployFiles, parseYaml, readDeployed, settingRows } from './deploy-files.ts';
import { readDockerfile } from './read-dockerfile.ts';

const { environmentOf } = readDockerfile();
const variables = settingRows.map(({ variable }) => variable);

/** Those of other programs. */
const foreign = [
  'GF_ANALYTICS_CHECK_FOR_UPDATES',
  'GF_ANALYTICS_REPORTING_ENABLED',
  'GF_SECURITY_ADMIN_PASSWORD__FILE',
  'NODE_ENV',
  'NODE_OPTIONS',
  'POSTGRES_DB',
  'POSTGRES_INITDB_ARGS',
  'POSTGRES_PASSWORD_FILE',
  'POSTGRES_USER',
  'SITE_ADDRESS',
  'UPSTREAM_NAME',
  'UPSTREAM_PORT',
];

test('every name that looks like a setting is one', () => {
  const found = deployFiles().flatMap((path) =>
    [...readDeployed(path).matchAll(/\b(FLAGHOIST_[A-Z_]+|DATABASE_URL)\b/g)]
      .filter(([, name]) => !variables.includes(name!))
      .map(([, name]) => `${path}: ${name}`),
  );
  expect(found).toEqual([]);
});

interface Compose {
  services: Record<string, { environment?: Record<string, string> }>;
}

/** By the place that sets them: services of compose, images, the unit, and examples of files. */
function environments(): [string, Record<string, string>][] {
  const compose = ['compose/all-in-one.yaml', 'compose/cluster.yaml'].flatMap((path) =>
    Object.entries(parseYaml<Compose>(path)[0]!.services).map(
      ([name, { environment = {} }]): [string, Record<string, string>] => [`${path}: ${name}`, environment],
    ),
  );
  const unit = readDeployed('systemd/flaghoist.service').matchAll(/^Environment="?(\w+)=(.*?)"?$/gm);
  const files = deployFiles().filter((path) => path.endsWith('.env.example'));
  return [
    ...compose,
    ['systemd/flaghoist.service', pairsOf(unit)],
    ['image/Dockerfile: all-in-one', environmentOf('all-in-one')],
    ['image/Dockerfile: server', environmentOf('server')],
    ...files.map((path): [string, Record<string, string>] => [
      path,
      pairsOf(readDeployed(path).matchAll(/^(?:# )?(\w+)=(.*)$/gm)),
    ]),
  ];
}

function pairsOf(matches: Iterable<RegExpMatchArray>): Record<string, string> {
  return Object.fromEntries([...matches].map(([, name, value]) => [name!, value!]));
}

test.each(environments())('%s sets known variables to values that the service accepts', (_, environment) => {
  const names = Object.keys(environment);
  expect(names.filter((name) => !variables.includes(name) && !foreign.includes(name))).toEqual([]);
  // Left open in the examples.
  const given = Object.entries(environment).filter(([name, value]) => variables.includes(name) && !value.includes('…'));
  expect(loadSettings(Object.fromEntries(given)).unknown).toEqual([]);
});

test('the environments of the image and the unit are found', () => {
  const found = new Map(environments());
  expect(found.get('image/Dockerfile: all-in-one')).toMatchObject({
    FLAGHOIST_HOST: '0.0.0.0',
    FLAGHOIST_DATA_DIR: '/data',
  });
  expect(found.get('systemd/flaghoist.service')).toMatchObject({ FLAGHOIST_DATA_DIR: '/var/lib/flaghoist' });
});

test('no secret has a value in a file', () => {
  const secrets = settingRows.filter(({ isSecret }) => isSecret).map(({ variable }) => variable);
  const given = environments().flatMap(([place, environment]) =>
    Object.entries(environment)
      .filter(([name, value]) => secrets.includes(name) && !value.includes('…') && !isWithoutPassword(value))
      .map(([name]) => `${place}: ${name}`),
  );
  expect(given).toEqual([]);
});

/** The mail server of the test environment has none. */
function isWithoutPassword(value: string): boolean {
  return URL.canParse(value) && new URL(value).password === '';
}
