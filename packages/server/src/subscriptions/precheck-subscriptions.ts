// Queries other systems before a subscription is saved: name servers, the scripts that are named, and the stylesheet
// engine.

import type { AddressChecks } from '../channels/registry/channel-registry.ts';
import type { Database } from '../database/database.ts';
import type { Violation } from '../errors.ts';
import type { PlacedBody } from '../objects/placed-bodies.ts';
import type { PrecheckRequest } from '../objects/type-rules.ts';
import { type KnownScripts, loadScripts } from '../scripts/known-scripts.ts';
import { precheckAddresses } from './precheck-addresses.ts';
import { type PrecheckStylesheetsParts, precheckStylesheets } from './precheck-stylesheets.ts';

export interface PrecheckParts extends PrecheckStylesheetsParts {
  addresses: AddressChecks;
  database: Pick<Database, 'run'>;
}

export async function precheckSubscriptions(
  { bodies, caller }: PrecheckRequest,
  { addresses, database, ...parts }: PrecheckParts,
): Promise<{ violations: Violation[]; scripts: KnownScripts }> {
  const [ofAddresses, ofStylesheets, scripts] = await Promise.all([
    precheckAddresses(bodies, addresses),
    precheckStylesheets(bodies, caller.userKey, parts),
    loadScripts(namesIn(bodies), caller, database),
  ]);
  return { violations: [...ofAddresses, ...ofStylesheets], scripts };
}

/** The names of scripts. A script that a subscription keeps is checked when it is locked. */
function namesIn(bodies: readonly PlacedBody[]): string[] {
  return bodies.flatMap(({ body }) => {
    const name = body instanceof Map ? body.get('dlpAlertScript') : undefined;
    return typeof name === 'string' ? [name] : [];
  });
}
