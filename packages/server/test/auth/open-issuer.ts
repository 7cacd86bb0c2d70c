// An external issuer and what trusts it, side by side, for one test.

import { onTestFinished } from 'vitest';
import { ExternalIssuer } from '../../src/auth/external-issuer/external-issuer.ts';
import { KnownKeys } from '../../src/auth/external-issuer/known-keys.ts';
import { createOperatorGet } from '../../src/channels/http/operator-get.ts';
import { ApiError } from '../../src/errors.ts';
import type { Observation } from '../../src/observe/observation.ts';
import { testAudience } from '../support/access.ts';
import { type HeldClock, holdClock } from './held-clock.ts';
import {
  type IssuerKey,
  keysPath,
  type LoopbackIssuer,
  signToken,
  startLoopbackIssuer,
  type TokenOptions,
} from './loopback-issuer.ts';

export interface OpenIssuer {
  issuer: LoopbackIssuer;
  /** Listed from the beginning. */
  key: IssuerKey;
  keys: KnownKeys;
  external: ExternalIssuer;
  clock: HeldClock;
  observations: Observation[];
  /** As of the clock's time. */
  sign(key: IssuerKey, options?: TokenOptions): Promise<string>;
  /** `accepted`, or the code of the error that a caller gets. */
  judge(token: string): Promise<string>;
  /** How often the key set was asked for. */
  keyFetches(): number;
}

export interface OpenIssuerOptions {
  path?: string;
  deadlineMs?: number;
  /** What the issuer is like before it is asked for the first time. */
  prepare?: (issuer: LoopbackIssuer) => void;
}

export async function openIssuer({ path, deadlineMs, prepare }: OpenIssuerOptions = {}): Promise<OpenIssuer> {
  const issuer = await startLoopbackIssuer(path);
  onTestFinished(() => issuer.stop());
  const key = await issuer.addKey('first');
  prepare?.(issuer);
  const clock = holdClock();
  const observations: Observation[] = [];
  const keys = new KnownKeys({
    issuerUrl: issuer.url,
    get: createOperatorGet({ egressProxy: undefined, certificateAuthorities: undefined }),
    clock,
    observe: (observation) => observations.push(observation),
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  });
  onTestFinished(() => keys.stop());
  await keys.start();
  const external = new ExternalIssuer({ keys, audience: testAudience, clock, consoleClientId: 'fleet-console' });
  return {
    issuer,
    key,
    keys,
    external,
    clock,
    observations,
    sign: (signing, options) => signToken(issuer.url, signing, { nowMs: clock.nowMs(), ...options }),
    judge: (token) => judge(external, token),
    keyFetches: () => issuer.asked.filter((asked) => asked.endsWith(keysPath)).length,
  };
}

/** A token that is accepted is trusted as well. */
async function judge(external: ExternalIssuer, token: string): Promise<string> {
  try {
    const verified = await external.verify(token);
    return external.isTrusted(verified) ? 'accepted' : 'not trusted';
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}
