// The script of a dry run that its author is still writing: it is run in place of the saved one.

import { missingScope } from '../../auth/tokens/verified-token.ts';
import type { ActionCall } from '../../objects/action-call.ts';
import { rejectViolations } from '../../objects/object-errors.ts';

const path = 'script';

/** Undefined: the saved one is run. Only those who may save a script may have one run. */
export function readUnsavedScript(
  { given, caller }: ActionCall,
  scriptKey: string | null,
  scriptBytesMax: number,
): string | undefined {
  const script = given.get(path) ?? undefined;
  if (script === undefined) return undefined;
  if (!caller.isAdmin) throw missingScope('admin');
  const reject = (message: string) => rejectViolations([{ path, message }]);
  if (scriptKey === null) reject('requires a subscription with dlpAlertScript.');
  const bytes = Buffer.byteLength(script);
  if (bytes > scriptBytesMax) reject(`may have at most ${scriptBytesMax} bytes; this has ${bytes}.`);
  return script;
}
