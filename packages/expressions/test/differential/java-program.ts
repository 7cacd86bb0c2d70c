// Writes and runs a Java program that evaluates expressions over objects. It has a class with getters for each object
// type, a method for each expression, and a line of output for each evaluation.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gettersOf, typeOfAttribute } from '../../src/check/getters.ts';
import type { AttributeShape, ObjectShape } from '../../src/input/object-shape.ts';
import { renderType } from '../../src/typing/java-type.ts';
import { type Row, typeOf } from '../expression-fixture.ts';
import { isModelled, modelled, type ObjectPair } from './random-objects.ts';

export function hasJdk(): boolean {
  try {
    execFileSync('javac', ['-version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** For each expression and pair of objects, the result: `true`, `false`, or the name of the exception. */
export function runJava(expressions: readonly string[], pairs: readonly ObjectPair[]): string[][] {
  const folder = mkdtempSync(join(tmpdir(), 'flaghoist-java-'));
  try {
    const files = programFiles(expressions, pairs);
    for (const [name, text] of files) writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, 'Runner.java'), runner);
    // Optimizing does not pay for a program that runs once.
    const flags = ['-XX:TieredStopAtLevel=1', '-Xss4m', '-Xmx1g'];
    const printed = execFileSync('java', [...flags, join(folder, 'Runner.java'), folder, ...files.keys()], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return printed
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' '));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Compiles the other files with javax.tools and runs them, in one process. */
const runner = `
import java.io.File;
import java.net.*;
import java.util.*;
import javax.tools.*;
public class Runner {
  public static void main(String[] given) throws Exception {
    File folder = new File(given[0]);
    List<File> files = new ArrayList<>();
    for (int i = 1; i < given.length; i++) files.add(new File(folder, given[i]));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
    List<String> options = List.of("-nowarn", "-proc:none", "-encoding", "UTF-8", "-Xmaxerrs", "20", "-d", given[0]);
    if (!compiler.getTask(null, manager, null, options, null, manager.getJavaFileObjectsFromFiles(files)).call())
      System.exit(1);
    URLClassLoader loader = new URLClassLoader(new URL[] { folder.toURI().toURL() });
    loader.loadClass("Main").getMethod("main", String[].class).invoke(null, (Object) new String[0]);
  }
}
`;

const perClass = 400;
const imports = 'import java.math.*;\nimport java.util.*;\nimport java.util.function.*;\nimport java.util.stream.*;\n';

function programFiles(expressions: readonly string[], pairs: readonly ObjectPair[]): Map<string, string> {
  const files = new Map<string, string>();
  for (const name of modelled) files.set(`${name}.java`, classOf(typeOf(name)));
  const parts = Array.from({ length: Math.ceil(expressions.length / perClass) }, (_, part) => part);
  for (const part of parts)
    files.set(`Part${part}.java`, partOf(part, expressions.slice(part * perClass, (part + 1) * perClass)));
  files.set('Main.java', mainOf(parts, pairs));
  return files;
}

function classOf(type: ObjectShape): string {
  const attributes = [...type.attributes.values()].filter(isModelled);
  const fields = attributes.map((attribute) => `  ${javaType(attribute)} ${attribute.name};`);
  const getters = [...gettersOf(type).values()]
    .filter(({ attribute }) => isModelled(attribute))
    .map(({ name, attribute }) => `  public ${javaType(attribute)} ${name}() { return ${attribute.name}; }`);
  const equals =
    `  public boolean equals(Object other) { return other instanceof ${type.name} && ((${type.name}) ` +
    'other).key.equals(key); }';
  return (
    `${imports}public class ${type.name} {\n${[...fields, ...getters, equals].join('\n')}\n  public int hashCode() ` +
    `{ return key.hashCode(); }\n}\n`
  );
}

function javaType(attribute: AttributeShape): string {
  return renderType(typeOfAttribute(attribute, []));
}

const parameters = ['svcObject', 'oldSvcObject', 'dlpObject', 'oldDlpObject', 'changedObject', 'oldChangedObject']
  .map((name) => `Voyage ${name}`)
  .join(', ');

function partOf(part: number, expressions: readonly string[]): string {
  const methods = expressions.map(
    (expression, index) => `  static boolean e${index}(${parameters}) {\n    return ${expression};\n  }`,
  );
  const cases = expressions.map((_, index) => `      case ${index}: return e${index}(now, old, now, old, now, old);`);
  return [
    `${imports}public class Part${part} {`,
    '  static boolean is(boolean test) { return test; }',
    textMethod,
    `  static final int COUNT = ${expressions.length};`,
    ...methods,
    '  static boolean run(int index, Voyage now, Voyage old) {\n    switch (index) {',
    ...cases,
    '      default: throw new IllegalStateException();\n    }\n  }\n}\n',
  ].join('\n');
}

function mainOf(parts: readonly number[], pairs: readonly ObjectPair[]): string {
  const makers = pairs.flatMap(({ row, old }, index) => [
    `  static Voyage now${index}() { return ${objectOf(row, typeOf('Voyage'))}; }`,
    `  static Voyage old${index}() { return ${old ? objectOf(old, typeOf('Voyage')) : 'null'}; }`,
  ]);
  const calls = parts.map((part) => `    for (int i = 0; i < Part${part}.COUNT; i++) print(i, Part${part}::run);`);
  return `${imports}
public class Main {
  interface Part { boolean run(int index, Voyage now, Voyage old); }
  static final Voyage[] NOW = { ${pairs.map((_, index) => `now${index}()`).join(', ')} };
  static final Voyage[] OLD = { ${pairs.map((_, index) => `old${index}()`).join(', ')} };
${makers.join('\n')}
  static void print(int index, Part part) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < NOW.length; i++) {
      if (i > 0) line.append(' ');
      try { line.append(part.run(index, NOW[i], OLD[i])); }
      catch (Throwable problem) { line.append(problem.getClass().getSimpleName()); }
    }
    System.out.println(line);
  }
  public static void main(String[] given) {
${calls.join('\n')}
  }
}
`;
}

/** An expression that creates the object, with an initializer for its fields. */
function objectOf(row: Row, type: ObjectShape): string {
  const fields = [...type.attributes.values()]
    .filter((attribute) => isModelled(attribute) && row[attribute.name] !== undefined && row[attribute.name] !== null)
    .map((attribute) => `${attribute.name} = ${literalOf(row[attribute.name]!, attribute)};`);
  return `new ${type.name}() {{ ${fields.join(' ')} }}`;
}

function literalOf(value: Row[string] & {}, attribute: AttributeShape): string {
  switch (attribute.kind) {
    case 'decimal':
      return `Double.valueOf("${value}")`;
    case 'key':
      return `${value}L`;
    case 'dateTime':
      return `new Date(${Date.parse(`${value}Z`)}L)`;
    case 'reference':
      return objectOf(value as Row, attribute.target);
    case 'collection':
      return `new ArrayList<>(List.of(${(value as Row[]).map((row) => objectOf(row, attribute.of)).join(', ')}))`;
    case 'integer':
    case 'boolean':
      return String(value);
    default:
      return JSON.stringify(value);
  }
}

/** Double.toString() as in JDK 19, which renders the shortest digits that identify the number, for any JDK. */
const textMethod = `
  static String text(Double value) {
    if (value == null || value.isNaN() || value.isInfinite() || value == 0) return "" + value;
    int count = 2;
    BigDecimal exact = new BigDecimal(value);
    while (exact.round(new MathContext(count)).doubleValue() != value) count++;
    BigDecimal shortest = exact.round(new MathContext(count)).stripTrailingZeros();
    double size = Math.abs(value);
    if (size >= 1e-3 && size < 1e7)
      return shortest.scale() < 1 ? shortest.setScale(1).toPlainString() : shortest.toPlainString();
    String digits = shortest.unscaledValue().abs().toString();
    String rest = digits.length() > 1 ? digits.substring(1) : "0";
    return (value < 0 ? "-" : "") + digits.charAt(0) + "." + rest + "E" + (shortest.precision() - shortest.scale() - 1);
  }`;
