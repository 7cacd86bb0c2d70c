// Reads the bytes of a mail as a mail program would: headers unfolded and decoded, parts taken apart.

export interface ReadMail {
  /** In order, decoded, names in lower case. */
  headers: [string, string][];
  text: string;
  html: string;
  attachments: { fileName: string; contentType: string; content: string }[];
}

export function readMail(bytes: Buffer | string): ReadMail {
  const root = readPart(bytes.toString('latin1'));
  const leaves = leavesOf(root);
  const bodyOf = (type: string) => leaves.find((part) => isBody(part, type))?.content ?? '';
  return {
    headers: root.headers.map(([name, value]) => [name, decodeWords(value)]),
    text: bodyOf('text/plain'),
    html: bodyOf('text/html'),
    attachments: leaves
      .filter((part) => headerOf(part, 'content-disposition').startsWith('attachment'))
      .map((part) => ({
        fileName: /filename="?([^";]+)/.exec(headerOf(part, 'content-disposition'))?.[1] ?? '',
        contentType: headerOf(part, 'content-type').split(';')[0] ?? '',
        content: part.content,
      })),
  };
}

export function headersNamed(mail: ReadMail, name: string): string[] {
  return mail.headers.filter(([one]) => one === name.toLowerCase()).map(([, value]) => value);
}

interface Part {
  headers: [string, string][];
  content: string;
  parts: Part[];
}

function readPart(raw: string): Part {
  const end = raw.indexOf('\r\n\r\n');
  const headers = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map((line): [string, string] => {
      const at = line.indexOf(':');
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    });
  const part: Part = { headers, content: '', parts: [] };
  const body = raw.slice(end + 4);
  const boundary = /^multipart\/.*boundary="?([^";]+)/i.exec(headerOf(part, 'content-type'))?.[1];
  if (boundary === undefined) part.content = decodeBody(body, headerOf(part, 'content-transfer-encoding'));
  else part.parts = splitParts(body, boundary).map(readPart);
  return part;
}

function splitParts(body: string, boundary: string): string[] {
  const pieces = `\r\n${body}`.split(`\r\n--${boundary}`);
  return pieces.slice(1, -1).map((piece) => piece.replace(/^\r\n/, ''));
}

function leavesOf(part: Part): Part[] {
  return part.parts.length === 0 ? [part] : part.parts.flatMap(leavesOf);
}

function isBody(part: Part, type: string): boolean {
  return (
    headerOf(part, 'content-type').startsWith(type) && !headerOf(part, 'content-disposition').startsWith('attachment')
  );
}

function headerOf({ headers }: Part, name: string): string {
  return headers.find(([one]) => one === name)?.[1] ?? '';
}

function decodeBody(body: string, encoding: string): string {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64').toString('utf8');
  if (/quoted-printable/i.test(encoding)) return decodeQuoted(body.replace(/=\r\n/g, '')).replace(/\r\n/g, '\n');
  return Buffer.from(body, 'latin1').toString('utf8');
}

function decodeQuoted(text: string): string {
  const bytes = text.replace(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** RFC 2047; what stands between two encoded words is folding. */
function decodeWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString('utf8')
        : decodeQuoted(text.replaceAll('_', ' ')),
    );
}
