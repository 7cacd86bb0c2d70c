// Leaves out the components that nothing refers to: a type to which no other type refers has no use for the schema of a
// reference. Linters report them, and generators write a file for each.

interface Document {
  components: Record<string, Record<string, unknown>>;
}

export function pruneComponents<Described extends Document>(document: Described): Described {
  const { components, ...rest } = document;
  const used = new Set<string>();
  const visit = (node: unknown): void => {
    for (const [kind, name] of referencesIn(node)) {
      const reference = `${kind}/${name}`;
      if (used.has(reference)) continue;
      used.add(reference);
      visit(components[kind]![name]);
    }
  };
  visit(rest);
  // Named by `security`, not by a reference.
  const { securitySchemes, ...others } = components;
  const kept = Object.entries(others).map(([kind, members]) => {
    return [kind, Object.fromEntries(Object.entries(members).filter(([name]) => used.has(`${kind}/${name}`)))];
  });
  return { ...document, components: { ...Object.fromEntries(kept), securitySchemes } };
}

function referencesIn(node: unknown): [kind: string, name: string][] {
  const references = JSON.stringify(node).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g);
  return [...references].map(([, kind, name]) => [kind!, name!]);
}
