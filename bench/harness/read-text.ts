// The whole body of a request, for programs that the service is compared with.

import type { IncomingMessage } from 'node:http';

export function readText(incoming: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => resolve(Buffer.concat(chunks).toString()));
    incoming.on('error', reject);
  });
}
