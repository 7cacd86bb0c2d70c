// Files: a name is a text and nothing else, a content is bytes and nothing else, and what is broken off leaves nothing.

import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectErrorBody } from '../support/error-body.ts';
import { create } from '../support/fleet.ts';
import { converse, openSocket, withToken } from '../support/raw-http.ts';
import { useTestService } from '../support/test-service.ts';
import { describeUnharmed } from './unharmed.ts';

const service = useTestService();
let remarks: number;
beforeAll(async () => {
  const { key: source } = await create(service, 'Vessel', { vesselName: 'Well Documented' });
  ({ key: remarks } = await create(service, 'Remarks', { source }));
});

const attach = (fileName: unknown, file: unknown) => service.post('/ws/rest/Attachment', { remarks, fileName, file });

/** The head of an upload of so many bytes. */
function headOf(bytes: number): string {
  const lines = ['POST /ws/rest/Attachment HTTP/1.1', 'Host: x', 'Content-Type: application/json'];
  return withToken(service.token(), [...lines, `Content-Length: ${bytes}`, '', ''].join('\r\n'));
}

async function countAttachments(): Promise<number> {
  return (await service.get(`/ws/rest/Attachment?filter=remarks(EQ)${remarks}`)).body.length;
}

describe('a file name is kept as it is and never becomes a path', () => {
  test.each([
    '../../etc/passwd',
    '..\\..\\windows\\win.ini',
    '/absolute',
    'C:\\x',
    '\\\\server\\share',
    'CON',
    'nul.txt',
    '.htaccess',
    '..',
    '.',
    '',
    '~/.ssh/id_rsa',
    'a/b/c.pdf',
    '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    'invoice\u202efdp.exe',
    'x\r\nContent-Type: text/html',
    'a"; filename="b.html',
    'n'.repeat(300),
    'ñ'.repeat(5000),
    '<script>alert(1)</script>.svg',
    '$(id).txt',
  ])('%j', async (fileName) => {
    const created = await attach(fileName, 'eA==');
    expect(created.status, created.text).toBe(201);
    expect(created.headers.get('location')).toBe(`${service.url()}/ws/rest/Attachment/${created.body.key}`);
    const read = await service.get(`/ws/rest/Attachment/${created.body.key}`, {
      fields: '{"fileName":"*","file":"*"}',
    });
    expect(read.body).toMatchObject({ fileName, file: 'eA==' });
  });

  test('with a NUL it is a 400', async () => {
    expectErrorBody(await attach('a\0.pdf', 'eA=='), 400);
  });
});

describe('a content is never anything but text in JSON', () => {
  test.each([
    ['page.html', '<!DOCTYPE html><script>alert(document.domain)</script>'],
    ['image.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['both.gif', 'GIF89a/*<script>alert(1)</script>*/=0'],
    ['archive.zip', 'PK\x03\x04../../evil'],
    ['nothing', ''],
  ])('%s', async (fileName, content) => {
    const file = Buffer.from(content, 'latin1').toString('base64');
    const { body } = await attach(fileName, file);
    for (const accept of ['text/html', 'image/svg+xml', '*/*', 'application/octet-stream']) {
      const read = await service.get(`/ws/rest/Attachment/${body.key}`, { accept, fields: '{"file":"*"}' });
      expect(read.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(read.headers.get('x-content-type-options')).toBe('nosniff');
      expect(read.body.file).toBe(file);
    }
  });

  test.each([
    'eA',
    'eA=',
    'eA==\n',
    ' eA==',
    'e A==',
    '-_-_',
    'eA==eA==',
    '====',
    'data:text/plain;base64,eA==',
    'ą',
    'eB==',
  ])('that is not Base64 is a 400: %j', async (file) => {
    expect(expectErrorBody(await attach('x', file), 400).violations?.map(({ path }) => path)).toEqual(['file']);
  });

  test('of every byte is read back equal', async () => {
    const file = Buffer.from(Array.from({ length: 1024 }, (_, index) => index % 256)).toString('base64');
    const { body } = await attach('bytes', file);
    expect(
      (await service.get(`/ws/rest/Attachment/${body.key}?fields=${encodeURIComponent('{"file":"*"}')}`)).body.file,
    ).toBe(file);
  });
});

describe('size', () => {
  test('11 MB of content fit into 16 MB, and are read back equal', async () => {
    const file = Buffer.alloc(11 * 1_048_576, 'flaghoist').toString('base64');
    const { status, body } = await attach('large', file);
    expect(status).toBe(201);
    const read = await service.get(`/ws/rest/Attachment/${body.key}`, { fields: '{"file":"*"}' });
    expect(read.body.file === file).toBe(true);
  });

  test('more than 16 MB are a 413', async () => {
    expectErrorBody(await attach('too large', 'A'.repeat(17 * 1_048_576)), 413);
  });

  test('a file that unpacks to much more is kept as it is', async () => {
    const file = gzipSync(Buffer.alloc(50 * 1_048_576)).toString('base64');
    expect((await attach('bomb.gz', file)).status).toBe(201);
  });

  test('a body that is shorter than it says is never taken', async () => {
    const before = await countAttachments();
    const text = JSON.stringify({ remarks, fileName: 'short', file: 'eA==' });
    const socket = openSocket(service.url());
    await new Promise<void>((resolve) => {
      socket.on('error', () => undefined);
      socket.on('close', () => resolve());
      socket.resume();
      socket.end(headOf(text.length + 1) + text);
    });
    expect(await countAttachments()).toBe(before);
  });

  test('a body that is longer than it says is cut there, and the rest is no request', async () => {
    const before = await countAttachments();
    const text = JSON.stringify({ remarks, fileName: 'long', file: 'eA==' });
    const { answers } = await converse(service.url(), headOf(text.length - 1) + text);
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
    for (const answer of answers) expectErrorBody(answer, 400);
    expect(await countAttachments()).toBe(before);
  });

  test('uploads that are broken off leave nothing behind', async () => {
    const before = await countAttachments();
    await Promise.all(
      Array.from(
        { length: 50 },
        () =>
          new Promise<void>((resolve) => {
            const socket = openSocket(service.url());
            socket.on('error', () => undefined);
            socket.on('close', () => resolve());
            socket.write(`${headOf(10_000_000)}{"remarks":${remarks},"fileName":"`, () => socket.destroy());
          }),
      ),
    );
    expect(await countAttachments()).toBe(before);
  });
});

describeUnharmed(service);
