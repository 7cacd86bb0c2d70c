// Renders a JSON Schema as a TypeScript type. Named schemas become declarations, each once.

import { componentName, type Description, resolve, type Schema } from './description.ts';

/** Collects the declarations of the schemas that the rendered types name. */
export class SchemaRenderer {
  readonly #description: Description;
  readonly #declarations = new Map<string, string>();

  constructor(description: Description) {
    this.#description = description;
  }

  /** In the order in which they were first used. */
  get declarations(): string[] {
    return [...this.#declarations.values()];
  }

  /** `isSent`: read-only properties are left out. */
  render(schema: Schema, isSent: boolean): string {
    const name = componentName(schema);
    if (name !== undefined) return this.#declare(name, isSent);
    const { const: constant, enum: values, anyOf, oneOf, allOf } = schema;
    if (constant !== undefined) return JSON.stringify(constant);
    if (values) return union(values.map(renderLiteral));
    const choices = anyOf ?? oneOf;
    if (choices) return union(choices.map((choice) => this.render(asReference(choice), isSent)));
    if (allOf) return allOf.map((part) => parenthesised(this.render(part, isSent))).join(' & ');
    const types = [schema.type ?? (schema.properties || schema.required ? 'object' : [])].flat();
    return types.length === 0 ? 'unknown' : union(types.map((type) => this.#renderKind(schema, type, isSent)));
  }

  /** The members of an object type, one per line, with their descriptions. */
  renderMembers(schemas: Record<string, Schema>, isRequired: (name: string) => boolean, isSent: boolean): string {
    return Object.entries(schemas)
      .filter(([name, schema]) => isPossible(schema) && !(isSent && schema.readOnly && !isRequired(name)))
      .map(([name, schema]) => {
        const mark = isRequired(name) ? '' : '?';
        return `${renderComment(schema)}${renderName(name)}${mark}: ${this.render(schema, isSent)};`;
      })
      .join('\n');
  }

  #renderKind(schema: Schema, type: string, isSent: boolean): string {
    if (type === 'array') return `${parenthesised(this.render(schema.items ?? {}, isSent))}[]`;
    if (type === 'object') return this.#renderObject(schema, isSent);
    return type === 'integer' ? 'number' : type;
  }

  #renderObject({ properties, required = [], additionalProperties }: Schema, isSent: boolean): string {
    const members = { ...Object.fromEntries(required.map((name) => [name, {}])), ...properties };
    if (Object.keys(members).length > 0)
      return `{\n${indent(this.renderMembers(members, (name) => required.includes(name), isSent))}\n}`;
    if (additionalProperties === false) return 'Record<never, never>';
    const value = typeof additionalProperties === 'object' ? this.render(additionalProperties, isSent) : 'unknown';
    return `Record<string, ${value}>`;
  }

  #declare(component: string, isSent: boolean): string {
    const name = component.replaceAll(/\W/g, '_');
    if (!this.#declarations.has(name)) {
      // Reserved first, because a schema may refer to itself.
      this.#declarations.set(name, '');
      const schema = resolve(this.#description, { $ref: component });
      const rendered = this.render(schema, isSent);
      const head = rendered.startsWith('{\n') && rendered.endsWith('\n}') ? `interface ${name} ` : `type ${name} = `;
      const end = head.startsWith('interface') ? '' : ';';
      this.#declarations.set(name, `${renderComment(schema)}export ${head}${rendered}${end}`);
    }
    return name;
  }
}

/** `'vesselName'`, or `vesselName` if it needs no quotes. */
export function renderName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : renderLiteral(name);
}

export function renderLiteral(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

export function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ') || 'never';
}

/** A JSDoc comment with the description; empty if there is none. */
export function renderComment({ description = '', deprecated }: Pick<Schema, 'description' | 'deprecated'>): string {
  const text = [description, ...(deprecated ? ['@deprecated'] : [])].filter((part) => part !== '').join('\n');
  const lines = text.replaceAll('*/', '* /').split('\n').flatMap(wrap);
  if (text === '') return '';
  return lines.length === 1 ? `/** ${lines[0]} */\n` : `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`;
}

export function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

/** A reference may be sent as any object with its key: what else the object shows does not count. */
function asReference(choice: Schema): Schema {
  const isReference = componentName(choice)?.endsWith('ReferenceObject');
  return isReference ? { type: 'object', required: ['key'], properties: { key: { type: 'integer' } } } : choice;
}

/** False if the only value is null: the member is not to be sent. */
function isPossible({ type }: Schema): boolean {
  return type !== 'null';
}

function parenthesised(type: string): string {
  return / [|&] /.test(type) ? `(${type})` : type;
}

function wrap(text: string): string[] {
  return text.match(/.{1,100}(?:\s+|$)|\S+\s*/g)?.map((line) => line.trimEnd()) ?? [];
}
