// A span for statements that are sent together. It has their kinds and tables: no text, and no value.

import type { Attributes, Tracing } from '../observe/traces/tracing.ts';
import { Recent } from '../recent.ts';

/** Only inside another span: loops ask the database all the time. */
export async function traceStatements<T>(
  tracing: Tracing,
  statements: readonly { text: string }[],
  answering: Promise<T>,
): Promise<T> {
  const parent = tracing.current()?.asParent;
  if (!parent) return answering;
  const name = nameStatements(statements.map(({ text }) => text));
  const attributes = attributesOf(name, statements.length);
  const span = tracing.begin({ name, kind: 'client', parent, attributes });
  try {
    const answers = await answering;
    span?.end();
    return answers;
  } catch (error) {
    const code = codeOf(error as Error);
    span?.end({ 'error.type': code }, code);
    throw error;
  }
}

function attributesOf(name: string, count: number): Attributes {
  return {
    'db.system.name': 'postgresql',
    'db.operation.name': name.includes(';') ? 'BATCH' : name.split(' ', 1)[0],
    'db.query.summary': name,
    'db.operation.batch.size': count > 1 ? count : undefined,
  };
}

/** The SQLSTATE, or the name of the error. Its message could contain a value. */
function codeOf(error: Error): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}

const namesMax = 3;
/** What surrounds others in a transaction. */
const framing: ReadonlySet<string> = new Set(['BEGIN', 'COMMIT', 'ROLLBACK', 'SELECT']);

/** `INSERT flaghoist.voyage; SELECT flaghoist.port`. */
export function nameStatements(texts: readonly string[]): string {
  const names = [...new Set(texts.map(nameOf))];
  const telling = names.filter((name) => !framing.has(name));
  if (telling.length === 0) return names.at(-1) ?? 'none';
  const shown = telling.slice(0, namesMax).join('; ');
  return telling.length > namesMax ? `${shown}; …` : shown;
}

const textCharsMax = 20_000;
const namesOfTexts = new Recent<string, string>(500);

function nameOf(text: string): string {
  if (text.length > textCharsMax) return nameAnew(text);
  const known = namesOfTexts.get(text);
  if (known !== undefined) return known;
  const name = nameAnew(text);
  namesOfTexts.set(text, name);
  return name;
}

const table = '("?flaghoist\\w*"?\\."?\\w+"?)';
const writing = new RegExp(`\\b(insert|update|delete)(?: into| from)? ${table}`, 'i');
const reading = new RegExp(`\\bfrom ${table}`, 'i');

/** The first table that is written, or else the first that is read. */
function nameAnew(text: string): string {
  const written = writing.exec(text);
  if (written) return `${written[1]!.toUpperCase()} ${bare(written[2]!)}`;
  const read = reading.exec(text);
  if (read) return `SELECT ${bare(read[1]!)}`;
  const verb = /^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? 'OTHER';
  return verb === 'WITH' ? 'SELECT' : verb;
}

function bare(name: string): string {
  return name.replaceAll('"', '');
}
