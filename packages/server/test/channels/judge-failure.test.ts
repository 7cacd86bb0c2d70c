// Whose fault a broken connection is, for errors that no receiver on loopback can cause.

import { expect, test } from 'vitest';
import { judgeFailure } from '../../src/channels/http/judge-failure.ts';
import { failure } from './receiver.ts';

const fault = (code: string, address = '203.0.113.7') =>
  Object.assign(new Error(`connect ${code} ${address}:443`), { code, address });

test.each(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM'])('FLT-49: %s is a fault on our side', (code) => {
  expect(judgeFailure(fault(code), 5_000)).toMatchObject({ kind: 'ownFault', reason: expect.stringContaining(code) });
});

test.each(['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'EPERM'])('FLT-10: %s is a failure of the receiver', (code) => {
  expect(judgeFailure(fault(code), 5_000)).toEqual(failure('The host cannot be reached.'));
});

test('a machine without IPv6 cannot reach a receiver that has nothing else, however long it tries', () => {
  expect(judgeFailure(fault('EADDRNOTAVAIL', '2620:fe::fe'), 5_000)).toEqual(failure('The host cannot be reached.'));
});

test.each(['CERT_CHAIN_TOO_LONG', 'EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'EWHATEVER', ''])(
  '%s is a failure, and its reason reveals nothing about our network',
  (code) => {
    const result = judgeFailure(fault(code), 5_000);
    expect(result.kind).toBe('failed');
    expect(result.kind === 'failed' && result.reason).not.toMatch(/\d|E[A-Z]{3}/);
  },
);
