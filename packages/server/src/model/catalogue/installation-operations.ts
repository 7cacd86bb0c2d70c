// What an installation is and how it runs, and the demo fleet that it can run by itself.

import { queueNames } from '../../observe/backlog.ts';
import type { ServiceOperationDeclaration } from '../service-operation.ts';

const exampleTime = '2026-11-15T08:30:00Z';

const demoSchema = {
  title: 'DemoFleet',
  description: 'The demo fleet: objects that a process of the service creates and keeps changing.',
  type: 'object',
  required: ['state', 'canStart', 'reason', 'failure'],
  properties: {
    state: { type: 'string', enum: ['STOPPED', 'RUNNING'], description: 'Whether a process runs it.' },
    canStart: { type: 'boolean', description: 'Whether an administrator can start it here.' },
    reason: { type: ['string', 'null'], description: 'Why it cannot be started. Null if it can.' },
    failure: {
      type: ['string', 'null'],
      description: 'Why it has ended by itself. Null if it has not, or was started or stopped since.',
    },
  },
};

const demo = { kind: 'json', isRequired: true, description: 'The demo fleet.', schema: demoSchema } as const;
const exampleDemo = { state: 'STOPPED', canStart: true, reason: null, failure: null };

const databaseSchema = {
  title: 'InstallationDatabase',
  description: 'The database.',
  type: 'object',
  required: ['kind', 'version'],
  properties: {
    kind: { type: 'string', enum: ['EMBEDDED', 'SERVER'], description: 'The service runs its own, or uses a server.' },
    version: { type: 'string', description: 'The version of PostgreSQL.' },
  },
};

const settingSchema = {
  title: 'InstallationSetting',
  description: 'A setting of the process that answers.',
  type: 'object',
  required: ['variable', 'value', 'source', 'isSecret', 'description'],
  properties: {
    variable: { type: 'string', description: 'The environment variable.' },
    value: { type: ['string', 'null'], description: 'As written. Null if it is not set, or secret.' },
    source: { type: 'string', enum: ['ENVIRONMENT', 'DEFAULT', 'NOT_SET'], description: 'Where the value is from.' },
    isSecret: { type: 'boolean', description: 'Whether the value is never shown.' },
    description: { type: 'string', description: 'What the setting does.' },
  },
};

const exampleSetting = {
  variable: 'FLAGHOIST_PORT',
  value: '8080',
  source: 'DEFAULT',
  isSecret: false,
  description: 'The port to listen on. 0: any free port.',
};

const workerSchema = {
  title: 'InstallationWorker',
  description: 'A process that delivers notifications.',
  type: 'object',
  required: ['id', 'state', 'leaseEnds'],
  properties: {
    id: { type: 'string', description: 'A random number.' },
    state: {
      type: 'string',
      enum: ['ALIVE', 'LATE', 'DEAD'],
      description: 'LATE: it has not renewed its lease in time. DEAD: others take over what it has claimed.',
    },
    leaseEnds: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When its lease ends. Null: it has ended.',
    },
  },
};

const exampleWorker = { id: '1748203961', state: 'ALIVE', leaseEnds: exampleTime };

const queueSchema = {
  title: 'InstallationQueue',
  description: 'A queue between a change and its receivers.',
  type: 'object',
  required: ['name', 'waiting', 'oldestSeconds'],
  properties: {
    name: {
      type: 'string',
      enum: [...queueNames],
      description:
        '`events`: changes to be matched; `shaping`: for a script or a stylesheet; `ready`: ready, or being sent; ' +
        '`blocked`: for an earlier one about the same object; `retry`: for the next attempt; `parked`: of inactive ' +
        'users; `stream`: for the acknowledgement of a consumer.',
    },
    waiting: { type: 'integer', format: 'int32', minimum: 0, description: 'How many wait, counted up to a limit.' },
    oldestSeconds: { type: 'number', minimum: 0, description: 'How long the oldest has been waiting.' },
  },
};

const exampleQueue = { name: 'ready', waiting: 3, oldestSeconds: 0.2 };

const forAdministrators = 'Null for all but administrators.';

const listSchema = (items: object, example: object) => ({ type: ['array', 'null'], items, examples: [[example]] });

export const readInstallation: ServiceOperationDeclaration = {
  path: 'installation',
  scope: 'read',
  method: 'GET',
  summary: 'What the installation is, and how it runs',
  description:
    'Environment, version and demo fleet; for administrators also the settings and the database of the process that ' +
    'answers, the processes that deliver, and what waits in which queue. Values of secret settings are not shown.',
  takes: {},
  answers: {
    environment: {
      kind: 'code',
      values: ['PRODUCTION', 'TEST'],
      isRequired: true,
      description: 'The kind of installation.',
      example: 'TEST',
    },
    version: { kind: 'text', isRequired: true, description: 'The version of the service.', example: '1.0.0' },
    baseUrl: {
      kind: 'text',
      isRequired: true,
      description: 'The public URL of the service.',
      example: 'https://flaghoist.example',
    },
    startedAt: {
      kind: 'text',
      isRequired: true,
      description: 'When the process that answers was started, in UTC.',
      example: exampleTime,
    },
    demo: { ...demo, schema: { ...demoSchema, examples: [exampleDemo] } },
    database: {
      kind: 'json',
      description: `The database. ${forAdministrators}`,
      schema: { ...databaseSchema, type: ['object', 'null'], examples: [{ kind: 'EMBEDDED', version: '18.4' }] },
    },
    settings: {
      kind: 'json',
      description: `The settings. ${forAdministrators}`,
      schema: listSchema(settingSchema, exampleSetting),
    },
    workers: {
      kind: 'json',
      description: `The processes that deliver notifications. ${forAdministrators}`,
      schema: listSchema(workerSchema, exampleWorker),
    },
    queues: {
      kind: 'json',
      description: `What waits, in the order of processing; some seconds old. ${forAdministrators}`,
      schema: listSchema(queueSchema, exampleQueue),
    },
  },
};

export const changeDemoFleet: ServiceOperationDeclaration = {
  path: 'installation/demo',
  scope: 'admin',
  isRepeatable: true,
  summary: 'Starts or stops the demo fleet',
  description:
    'The process that answers creates ships with voyages, port calls and bunker orders, and changes them every few ' +
    'seconds until the demo fleet or the process is stopped. The objects remain. Only in a test environment.',
  takes: {
    action: { kind: 'code', values: ['START', 'STOP'], isRequired: true, description: 'What to do.', example: 'START' },
  },
  answers: {
    demo: { ...demo, schema: { ...demoSchema, examples: [{ ...exampleDemo, state: 'RUNNING' }] } },
  },
};
