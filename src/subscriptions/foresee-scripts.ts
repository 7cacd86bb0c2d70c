// Scripts are checked in a thread when they are saved, before a transaction is opened: parsing a large one takes half a second, in which
// nobody else waits.

import type { Database } from '../database/database.ts';
import type { Violation } from '../errors.ts';
import type { ScriptSandbox } from '../filters/script/script-sandbox.ts';
import type { UsedParameters } from '../filters/script/used-parameters.ts';
import { joinPath } from '../json/join-path.ts';
import type { PlacedBody } from '../objects/placed-bodies.ts';
import type { ForeseenRequest } from '../objects/type-rules.ts';
import type { SandboxTurns } from './sandbox-turns.ts';
import { selectScriptBody } from './script-table.ts';

export interface ForeseeScriptsParts {
  database: Pick<Database, 'run'>;
  sandbox: Pick<ScriptSandbox, 'check'>;
  turns: SandboxTurns;
  scriptBytesMax: number;
}

/** What is known of one script of a request. */
export interface ForeseenScript {
  violations: Violation[];
  /** Undefined where neither body nor parameters are said, and where what is wrong with the body is told already. */
  uses?: UsedParameters;
  /** The body that was looked at because none was sent; null where there was none. */
  stored?: string | null;
}

/** By the place in the body of the request: every script has one. */
export type ForeseenScripts = ReadonlyMap<string, ForeseenScript>;

export async function foreseeScripts(request: ForeseenRequest, parts: ForeseeScriptsParts): Promise<ForeseenScripts> {
  const foreseen = new Map<string, ForeseenScript>();
  for (const placed of request.bodies) foreseen.set(placed.path, await foreseeScript(placed, request, parts));
  return foreseen;
}

async function foreseeScript(
  { body: given, path: place }: PlacedBody,
  { caller, key }: ForeseenRequest,
  parts: ForeseeScriptsParts,
): Promise<ForeseenScript> {
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
  { sandbox, turns }: ForeseeScriptsParts,
): Promise<ForeseenScript> {
  const checked = await turns.take(userKey, () => sandbox.check(body));
  if (checked.kind === 'fits') return { violations: [], uses: checked.uses };
  const { line, column, message } = checked;
  const where = line === undefined ? '' : `Line ${line}${column === undefined ? '' : `, column ${column}`}: `;
  return { violations: [{ path, message: `${where}${message}` }] };
}
