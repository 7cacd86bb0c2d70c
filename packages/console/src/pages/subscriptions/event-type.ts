// Event types as text (`Voyage.U.1007`) and in words ("Voyage 1007 updated").

export type Operation = 'C' | 'U' | 'D';

export const operations: readonly Operation[] = ['C', 'U', 'D'];

export const operationWords: Readonly<Record<Operation | '*', string>> = {
  C: 'created',
  U: 'updated',
  D: 'deleted',
  '*': 'changed',
};

export interface EventType {
  /** `*`: every type. */
  objectType: string;
  /** `*`: every operation. */
  operation: Operation | '*';
  /** One object; undefined: all. */
  objectKey: string | undefined;
}

export function parseEventType(text: string): EventType {
  const [objectType = '', operation = '*', objectKey] = text.split('.');
  return { objectType, operation: operation as Operation | '*', objectKey };
}

/** One line for all of them: "Voyage created or updated, BunkerOrder changed". */
export function eventTypesInWords(texts: readonly string[]): string {
  const groups = new Map<string, string[]>();
  for (const { objectType, operation, objectKey } of texts.map(parseEventType)) {
    const type = objectType === '*' ? 'Any object' : objectType;
    const name = objectKey ? `${type} ${objectKey}` : type;
    const words = groups.get(name) ?? [];
    groups.set(name, [...words, operationWords[operation] ?? operation]);
  }
  return [...groups].map(([name, words]) => `${name} ${[...new Set(words)].join(' or ')}`).join(', ');
}

/** The type that all of them name; undefined if they name several, or every type. */
export function onlyObjectType(texts: readonly string[]): string | undefined {
  const names = new Set(texts.map((text) => parseEventType(text).objectType));
  const [name] = names;
  return names.size === 1 && name !== '*' && name !== '' ? name : undefined;
}
