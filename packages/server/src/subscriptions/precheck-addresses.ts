// Runs the slow checks of addresses, such as resolving host names, when subscriptions are saved. This happens before a
// transaction is opened, so that nothing else waits for another system.

import type { AddressCheck } from '../channels/registry/channel.ts';
import type { AddressChecks } from '../channels/registry/channel-registry.ts';
import type { Violation } from '../errors.ts';
import { joinPath } from '../json/join-path.ts';
import type { PlacedBody } from '../objects/type-rules.ts';

export async function precheckAddresses(bodies: readonly PlacedBody[], checks: AddressChecks): Promise<Violation[]> {
  const said = bodies.flatMap(addressesIn);
  const violations = await Promise.all(Object.values(checks).map((check) => precheck(said, check)));
  return violations.flat();
}

/** Mistakes in the text of an address are reported with the rest of the body. */
async function precheck(said: readonly SaidAddress[], check: AddressCheck): Promise<Violation[]> {
  if (!check.precheck) return [];
  const valid = said.filter(({ address }) => check.check(address) === undefined);
  const mistakes = await check.precheck(valid.map(({ address }) => address));
  return valid.flatMap(({ path, address }) => {
    const message = mistakes.get(address);
    return message === undefined ? [] : [{ path, message }];
  });
}

interface SaidAddress {
  path: string;
  address: string;
}

function addressesIn({ body, path }: PlacedBody): SaidAddress[] {
  if (!(body instanceof Map)) return [];
  const info = body.get('channelInfo');
  const said = [
    { name: 'url', address: body.get('url') },
    { name: 'channelInfo.URL', address: info instanceof Map ? info.get('URL') : undefined },
  ];
  return said.flatMap(({ name, address }) =>
    typeof address === 'string' ? [{ path: joinPath(path, name), address }] : [],
  );
}
