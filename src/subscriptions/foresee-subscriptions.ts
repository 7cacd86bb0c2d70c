// What has to be asked elsewhere before a subscription is saved: name servers, the scripts that are named, the engine of stylesheets.

import type { HostCheckParts } from '../channels/check-host.ts';
import type { Database } from '../database/database.ts';
import type { Violation } from '../errors.ts';
import type { PlacedBody } from '../objects/placed-bodies.ts';
import type { ForeseenRequest } from '../objects/type-rules.ts';
import type { AddressPolicy } from './check-address.ts';
import { foreseeHosts } from './foresee-hosts.ts';
import { type ForeseeStylesheetsParts, foreseeStylesheets } from './foresee-stylesheets.ts';
import { type KnownScripts, loadScripts } from './known-scripts.ts';

export interface ForeseeParts extends ForeseeStylesheetsParts {
  hosts: HostCheckParts;
  addresses: AddressPolicy;
  database: Pick<Database, 'run'>;
}

export async function foreseeSubscriptions(
  { bodies, caller }: ForeseenRequest,
  { hosts, addresses, database, ...parts }: ForeseeParts,
): Promise<{ violations: Violation[]; scripts: KnownScripts }> {
  const [ofHosts, ofStylesheets, scripts] = await Promise.all([
    foreseeHosts(bodies, hosts, addresses),
    foreseeStylesheets(bodies, caller.userKey, parts),
    loadScripts(namesIn(bodies), caller, database),
  ]);
  return { violations: [...ofHosts, ...ofStylesheets], scripts };
}

/** Of scripts. One that a subscription keeps is looked at when it is held. */
function namesIn(bodies: readonly PlacedBody[]): string[] {
  return bodies.flatMap(({ body }) => {
    const name = body instanceof Map ? body.get('dlpAlertScript') : undefined;
    return typeof name === 'string' ? [name] : [];
  });
}
