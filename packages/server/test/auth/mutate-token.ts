// Small random changes to a token. Each gives a different text, and none that HTTP treats as the same (spaces at the
// ends of a header are not part of it).

export interface Mutation {
  kind: string;
  token: string;
}

type Random = () => number;

export function mutateToken(token: string, random: Random): Mutation {
  for (;;) {
    const kind = pick(Object.keys(mutations), random);
    let mutated = mutations[kind]!(token, random);
    // Now and then one on top of the other.
    if (random() < 0.2) mutated = mutations[pick(Object.keys(mutations), random)]!(mutated, random);
    if (fitsHeader.test(mutated) && mutated.trim() === mutated && mutated !== token) return { kind, token: mutated };
  }
}

/** What a client can send at all: in capitals, a strange character may be one that no header holds. */
const fitsHeader = /^[\t\x20-\x7e\x80-\xff]+$/;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const strange = '+/=.~!*\'(),;:@&$"#%|\\^`{}[]<>?\u00e9\u00ff';

const mutations: Record<string, (token: string, random: Random) => string> = {
  'a bit flipped': (token, random) => inPart(token, random, (bytes) => flip(bytes, random)),
  'a byte replaced': (token, random) =>
    inPart(token, random, (bytes) => {
      bytes[at(bytes, random)] = Math.floor(random() * 256);
      return bytes;
    }),
  'a byte left out': (token, random) =>
    inPart(token, random, (bytes) => {
      const index = at(bytes, random);
      return Buffer.concat([bytes.subarray(0, index), bytes.subarray(index + 1)]);
    }),
  'bytes added': (token, random) => {
    const added = Buffer.alloc(1 + Math.floor(random() * 70), Math.floor(random() * 256));
    return inPart(token, random, (bytes) => Buffer.concat(random() < 0.5 ? [added, bytes] : [bytes, added]));
  },
  'a character replaced': (token, random) => replaceAt(token, random, () => alphabet[at(alphabet, random)]!),
  'a strange character': (token, random) => replaceAt(token, random, () => strange[at(strange, random)]!),
  'a character left out': (token, random) => replaceAt(token, random, () => ''),
  'a character doubled': (token, random) => replaceAt(token, random, (character) => character.repeat(2)),
  'another case': (token, random) =>
    replaceAt(token, random, (character) =>
      character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase(),
    ),
  'all in one case': (token, random) => (random() < 0.5 ? token.toLowerCase() : token.toUpperCase()),
  'two characters swapped': (token, random) => {
    const index = at(token, random);
    return `${token.slice(0, index)}${token[index + 1] ?? ''}${token[index]}${token.slice(index + 2)}`;
  },
  'cut short': (token, random) => token.slice(0, 1 + at(token, random)),
  'cut at the front': (token, random) => token.slice(at(token, random)),
  'white space inside': (token, random) =>
    replaceAt(token, random, (character) => `${pick([' ', '\t', '  '], random)}${character}`),
  'another alphabet': (token) => token.replaceAll('-', '+').replaceAll('_', '/'),
  padding: (token, random) => parts(token, random, (part) => `${part}${'='.repeat(1 + Math.floor(random() * 3))}`),
  'stray bits': (token, random) =>
    parts(token, random, (part) => `${part.slice(0, -1)}${alphabet[(alphabet.indexOf(part.at(-1)!) + 1) % 64]}`),
  'parts swapped': (token, random) => {
    const [header, claims, signature] = token.split('.');
    return pick(
      [`${claims}.${header}.${signature}`, `${header}.${signature}.${claims}`, `${header}.${claims}`],
      random,
    );
  },
  'a part doubled': (token, random) => parts(token, random, (part) => `${part}.${part}`),
  'another claim': (token, random) => inJson(token, 1, (claims) => changeMember(claims, random)),
  'another header': (token, random) => inJson(token, 0, (header) => changeMember(header, random)),
};

function pick<T>(values: readonly T[], random: Random): T {
  return values[Math.floor(random() * values.length)]!;
}

function at({ length }: { length: number }, random: Random): number {
  return Math.floor(random() * length);
}

function flip(bytes: Buffer, random: Random): Buffer {
  const index = at(bytes, random);
  bytes[index] = (bytes[index] ?? 0) ^ (1 << Math.floor(random() * 8));
  return bytes;
}

function replaceAt(token: string, random: Random, replacement: (character: string) => string): string {
  const index = at(token, random);
  return `${token.slice(0, index)}${replacement(token[index] ?? '')}${token.slice(index + 1)}`;
}

function parts(token: string, random: Random, change: (part: string) => string): string {
  const all = token.split('.');
  const index = at(all, random);
  return all.with(index, change(all[index]!)).join('.');
}

function inPart(token: string, random: Random, change: (bytes: Buffer) => Buffer): string {
  return parts(token, random, (part) => change(Buffer.from(part, 'base64url')).toString('base64url'));
}

type Members = Record<string, unknown>;

function inJson(token: string, index: number, change: (members: Members) => Members): string {
  const all = token.split('.');
  try {
    const members = JSON.parse(Buffer.from(all[index] ?? '', 'base64url').toString()) as Members;
    return all.with(index, Buffer.from(JSON.stringify(change(members))).toString('base64url')).join('.');
  } catch {
    // An earlier change has made it unreadable.
    return token;
  }
}

function changeMember(members: Members, random: Random): Members {
  const name = pick([...Object.keys(members), 'crit', 'jku', 'jwk', 'nbf', '__proto__x'], random);
  const values = [
    undefined,
    null,
    '',
    0,
    9_999_999_999,
    true,
    [],
    {},
    'none',
    'admin',
    'HS256',
    'x',
    members[name],
    'read',
  ];
  const value = pick(values, random);
  // The same member again, in another place: the same meaning, other bytes.
  const { [name]: _, ...rest } = members;
  return random() < 0.5 ? { [name]: value, ...rest } : { ...rest, [name]: value };
}
