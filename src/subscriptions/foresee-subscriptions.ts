// What has to be asked elsewhere before a subscription is saved: name servers, the scripts that there are, the engine of stylesheets.

import type { HostCheckParts } from '../channels/check-host.ts';
import type { Violation } from '../errors.ts';
import type { JsonValue } from '../json/parse-json.ts';
import type { Stylesheets } from '../payload/stylesheet/stylesheets.ts';
import { foreseeHosts } from './foresee-hosts.ts';
import { foreseeStylesheets } from './foresee-stylesheets.ts';
import type { ScriptDirectory } from './script-directory.ts';

export interface ForeseeParts {
  hosts: HostCheckParts;
  scripts: ScriptDirectory;
  stylesheets: Pick<Stylesheets, 'check'>;
}

export async function foreseeSubscriptions(
  body: JsonValue,
  { hosts, scripts, stylesheets }: ForeseeParts,
): Promise<Violation[]> {
  const [ofHosts, ofStylesheets] = await Promise.all([
    foreseeHosts(body, hosts),
    foreseeStylesheets(body, stylesheets),
    mayUseScript(body) ? scripts.refresh() : undefined,
  ]);
  return [...ofHosts, ...ofStylesheets];
}

function mayUseScript(body: JsonValue): boolean {
  const elements = Array.isArray(body) ? body : [body];
  return elements.some((element) => element instanceof Map && scriptNames.some((name) => element.has(name)));
}

const scriptNames = ['dlpAlertScript', 'scriptParameterValues', 'useMsg'];
