// Certificates made on the spot, with openssl: of an authority that a test trusts, and of one that nobody does.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

export interface Certificate {
  key: string;
  cert: string;
}

export interface Authority {
  /** For NODE_EXTRA_CA_CERTS. */
  path: string;
  issue(names: string, days?: number): Certificate;
  /** By no authority. */
  selfSigned(names: string): Certificate;
}

export function useAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '2',
    '-subj',
    '/CN=Authority of a test',
  );
  let count = 0;
  const issue = (names: string, days = 2): Certificate => {
    const file = (ending: string) => `${count}.${ending}`;
    count++;
    const name = ['-subj', '/CN=Receiver', '-addext', `subjectAltName=${names}`];
    openssl('req', ...newKey, '-keyout', file('key'), '-out', file('csr'), ...name);
    const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-copy_extensions', 'copyall', '-days', String(days)];
    openssl('x509', '-req', '-in', file('csr'), '-out', file('pem'), ...signed);
    return { key: read(file('key')), cert: read(file('pem')) };
  };
  const selfSigned = (names: string): Certificate => {
    const name = ['-subj', '/CN=Receiver', '-addext', `subjectAltName=${names}`];
    openssl('req', '-x509', ...newKey, '-keyout', 'self.key', '-out', 'self.pem', '-days', '2', ...name);
    return { key: read('self.key'), cert: read('self.pem') };
  };
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { path: join(folder, 'ca.pem'), issue, selfSigned };
}
