// What has to be asked elsewhere before a subscription is saved: name servers, the scripts that are named, the engine of stylesheets.

import type { HostCheckParts } from '../channels/check-host.ts';
import type { Database } from '../database/database.ts';
import type { Violation } from '../errors.ts';
import type { JsonValue } from '../json/parse-json.ts';
import type { ForeseenRequest } from '../objects/type-rules.ts';
import { foreseeHosts } from './foresee-hosts.ts';
import { type ForeseeStylesheetsParts, foreseeStylesheets } from './foresee-stylesheets.ts';
import { type KnownScripts, loadScripts } from './known-scripts.ts';

export interface ForeseeParts extends ForeseeStylesheetsParts {
  hosts: HostCheckParts;
  database: Pick<Database, 'run'>;
}

export async function foreseeSubscriptions(
  { body, caller }: ForeseenRequest,
  { hosts, database, ...parts }: ForeseeParts,
): Promise<{ violations: Violation[]; scripts: KnownScripts }> {
  const [ofHosts, ofStylesheets, scripts] = await Promise.all([
    foreseeHosts(body, hosts),
    foreseeStylesheets(body, caller.userKey, parts),
    loadScripts(namesIn(body), database),
  ]);
  return { violations: [...ofHosts, ...ofStylesheets], scripts };
}

/** Of scripts. One that a subscription keeps is looked at when it is held. */
function namesIn(body: JsonValue): string[] {
  const elements = Array.isArray(body) ? body : [body];
  return elements.flatMap((element) => {
    const name = element instanceof Map ? element.get('dlpAlertScript') : undefined;
    return typeof name === 'string' ? [name] : [];
  });
}
