// `flaghoist trigger`: makes a real change, so that its subscriptions are notified as by any other change.

import { quoteText } from '@flaghoist/source-text';
import { CommandError, usageError } from '../command/command-error.ts';
import { parseKey } from '../command/parse-arguments.ts';
import { parseJsonObject } from '../command/parse-json-object.ts';
import type { ServiceOptions } from '../command/service-command.ts';
import { type Connection, connect } from '../connection/connect.ts';
import type { Description } from '../render-catalogue/description.ts';
import { fetchDescription } from '../render-catalogue/fetch-description.ts';
import { findResource } from '../render-catalogue/find-resource.ts';
import { findResources, type Resource } from '../render-catalogue/resources.ts';
import { printResult } from '../terminal/output.ts';
import { awaitDecisions, newestEvent, renderDecisions } from './notified.ts';
import { readAssignments } from './read-assignments.ts';

export interface TriggerOptions extends ServiceOptions {
  key?: string;
  set?: string[];
  data?: string;
  yes?: boolean;
}

interface Trigger {
  resource: Resource;
  operation: Operation;
  /** Undefined: it is created. */
  key: number | undefined;
  /** JSON text. */
  body: string;
  attributes: string[];
}

type Operation = 'C' | 'U' | 'D';

type Shown = Record<string, unknown> & { key: number };

export async function trigger(event: string, options: TriggerOptions): Promise<void> {
  const [, typeName = '', operation] = /^(\w+)\.([CUDcud])$/.exec(event) ?? [];
  if (operation === undefined)
    throw usageError(`${quoteText(event)} is not an event; write <Type>.C, <Type>.U or <Type>.D, like Voyage.U.`);
  const key = options.key === undefined ? undefined : parseKey('--key', options.key);
  checkOptions(typeName, operation.toUpperCase() as Operation, options);
  const connection = await connect(options);
  const description = await fetchDescription(connection.url);
  const resource = findResource(findResources(description), typeName);
  const change = { resource, operation: operation.toUpperCase() as Operation, key };
  const wanted = { ...change, ...readBody(description, change, options) };
  const before = key === undefined ? undefined : await read(connection, wanted, key);
  const last = await newestEvent(connection, key);
  const after = await send(connection, wanted);
  const changes = changesOf(wanted, before, after);
  if (wanted.operation === 'U' && changes.length === 0)
    throw new CommandError('The object has these values already. Nothing has changed, so there is no event.');
  const { key: changedKey } = after ?? before!;
  const decisions = await awaitDecisions(connection, changedKey, last);
  const name = `${resource.name}.${wanted.operation}`;
  const text = `${resource.name} ${changedKey} is ${words[wanted.operation]}.\n${changes.map((change) => renderChange(change, before !== undefined)).join('')}`;
  printResult(
    options,
    { event: name, key: changedKey, changes, object: after ?? before, decisions },
    `${text}${renderDecisions(decisions, changedKey)}`,
  );
}

const words = { C: 'created', U: 'updated', D: 'deleted' };

function checkOptions(type: string, operation: Operation, { key, set, data, yes }: TriggerOptions): void {
  if (operation === 'C' && key !== undefined) throw usageError('--key: the service chooses the key of a new object.');
  if (operation !== 'C' && key === undefined) throw usageError(`Which ${type}? Pass --key.`);
  if (operation === 'U' && set === undefined && data === undefined)
    throw usageError('What to change? Pass --set, for example --set comments=delayed.');
  if (operation !== 'D') return;
  if (set !== undefined || data !== undefined) throw usageError('--set and --data do not apply to a delete.');
  if (!yes) throw usageError(`This deletes the real ${type} ${key}. Add --yes to confirm.`);
}

function readBody(
  description: Description,
  { resource, operation }: Omit<Trigger, 'body' | 'attributes'>,
  { set = [], data }: TriggerOptions,
): Pick<Trigger, 'body' | 'attributes'> {
  if (operation === 'D') return { body: '', attributes: [] };
  const schema = operation === 'C' ? resource.create : resource.change;
  if (!schema) throw usageError(`The service does not let clients write a ${resource.name}.`);
  const given = data === undefined ? {} : parseJsonObject('--data', data);
  const values = new Map(Object.entries(given).map(([name, value]) => [name, JSON.stringify(value)]));
  for (const [name, text] of readAssignments(description, resource, schema, set)) values.set(name, text);
  const members = [...values].map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  return { body: `{${members.join(',')}}`, attributes: [...values.keys()] };
}

async function read({ client }: Connection, { resource }: Trigger, key: number): Promise<Shown> {
  const { body } = await client.request({ method: 'GET', path: `/ws/rest/${resource.name}/${key}` });
  return body as Shown;
}

/** What the service answers: the object, if there still is one. */
async function send({ client }: Connection, { resource, operation, key, body }: Trigger): Promise<Shown | undefined> {
  const path = `/ws/rest/${resource.name}`;
  if (operation === 'D') {
    await client.request({ method: 'DELETE', path: `${path}/${key}` });
    return undefined;
  }
  const request = operation === 'C' ? { method: 'POST', path } : { method: 'PUT', path: `${path}/${key}` };
  const answer = await client.request({ ...request, body });
  return answer.body as Shown;
}

interface Change {
  attribute: string;
  old: unknown;
  new: unknown;
}

function changesOf({ attributes }: Trigger, before: Shown | undefined, after: Shown | undefined): Change[] {
  return attributes
    .map((attribute) => ({ attribute, old: before?.[attribute] ?? null, new: after?.[attribute] ?? null }))
    .filter((change) => JSON.stringify(change.old) !== JSON.stringify(change.new));
}

function renderChange({ attribute, old, new: current }: Change, isUpdate: boolean): string {
  return `  ${attribute}: ${isUpdate ? `${JSON.stringify(old)} → ` : ''}${JSON.stringify(current)}\n`;
}
