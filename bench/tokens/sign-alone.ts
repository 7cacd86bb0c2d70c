// A separate program that only signs tokens with jose: the upper limit for the token endpoint.

import { randomUUID } from 'node:crypto';
import { generateKeyPair, SignJWT } from 'jose';

export interface SigningPlan {
  durationMs: number;
  atATime: number;
}

export interface SigningResult {
  signed: number;
  durationMs: number;
}

const { privateKey } = await generateKeyPair('ES256');

process.on('message', async (plan: SigningPlan) => {
  process.send!(await signFor(plan));
});
process.on('disconnect', () => process.exit());

async function signFor({ durationMs, atATime }: SigningPlan): Promise<SigningResult> {
  const startedAt = performance.now();
  let signed = 0;
  const signOn = async () => {
    while (performance.now() - startedAt < durationMs) {
      await signOne();
      signed += 1;
    }
  };
  await Promise.all(Array.from({ length: atATime }, signOn));
  return { signed, durationMs: performance.now() - startedAt };
}

function signOne(): Promise<string> {
  const issued = Math.floor(Date.now() / 1000);
  return new SignJWT({ client_id: 'bench', scope: 'admin' })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'bench' })
    .setIssuer('http://flaghoist.test')
    .setSubject('bench')
    .setAudience('https://flaghoist.dev')
    .setIssuedAt(issued)
    .setExpirationTime(issued + 86_400)
    .setJti(randomUUID())
    .sign(privateKey);
}
