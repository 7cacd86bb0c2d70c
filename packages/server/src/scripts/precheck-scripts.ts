// Checks scripts in a sandbox thread when they are saved, before the transaction begins. Parsing a large script takes
// half a second, and no other request waits for it.

import type { ScriptSandbox, UsedParameters } from '@flaghoist/script-sandbox';
import type { Database } from '../database/database.ts';
import type { Violation } from '../errors.ts';
import { joinPath } from '../json/join-path.ts';

import type { PlacedBody, PrecheckRequest } from '../objects/type-rules.ts';
import type { SandboxTurns } from './sandbox-turns.ts';
import { selectScriptBody } from './script-table.ts';

export interface PrecheckScriptsParts {
  database: Pick<Database, 'run'>;
  sandbox: Pick<ScriptSandbox, 'check'>;
  turns: SandboxTurns;
  scriptBytesMax: number;
}

/** The result of the precheck for one script of a request. */
export interface PrecheckedScript {
  violations: Violation[];
  /** Undefined if the request has neither body nor parameters, or if a mistake in the body is already reported. */
  uses?: UsedParameters;
  /** The stored body that was checked because the request has none; null if none is stored. */
  stored?: string | null;
}

/** Returns one result for each script of the request, in order. */
export async function precheckScripts(
  request: PrecheckRequest,
  parts: PrecheckScriptsParts,
): Promise<PrecheckedScript[]> {
  const prechecked: PrecheckedScript[] = [];
  for (const placed of request.bodies) prechecked.push(await precheckScript(placed, request, parts));
  return prechecked;
}

async function precheckScript(
  { body: given, path: place }: PlacedBody,
  { caller, key }: PrecheckRequest,
  parts: PrecheckScriptsParts,
): Promise<PrecheckedScript> {
  if (!(given instanceof Map)) return { violations: [] };
  const path = joinPath(place, 'body');
  const body = given.get('body');
  if (typeof body === 'string') {
    const length = Buffer.byteLength(body);
    const { scriptBytesMax } = parts;
    if (length > scriptBytesMax)
      return { violations: [{ path, message: `may have at most ${scriptBytesMax} bytes; this has ${length}.` }] };
    return checkBody(body, path, caller.userKey, parts);
  }
  if (body !== undefined || key === undefined || !given.has('parameters')) return { violations: [] };
  const [row] = await parts.database.run(selectScriptBody(key), caller);
  const stored = (row?.body ?? null) as string | null;
  if (stored === null) return { violations: [], stored };
  return { ...(await checkBody(stored, path, caller.userKey, parts)), stored };
}

async function checkBody(
  body: string,
  path: string,
  userKey: number | undefined,
  { sandbox, turns }: PrecheckScriptsParts,
): Promise<PrecheckedScript> {
  const checked = await turns.take(userKey, () => sandbox.check(body));
  if (checked.kind === 'fits') return { violations: [], uses: checked.uses };
  const { line, column, message } = checked;
  const where = line === undefined ? '' : `Line ${line}${column === undefined ? '' : `, column ${column}`}: `;
  return { violations: [{ path, message: `${where}${message}` }] };
}
