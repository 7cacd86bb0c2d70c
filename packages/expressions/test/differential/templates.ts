// The templates of random expressions, by their Java type: operators, literals, getters, and methods that need a
// template of their own. `method-templates.ts` adds a template for each other method.

import { booleanTemplates } from './boolean-templates.ts';
import type { Kind } from './kind.ts';
import { makeMethodTemplates } from './method-templates.ts';
import { objectTemplates } from './object-templates.ts';
import { primitiveTemplates } from './primitive-templates.ts';
import { parts, portCalls, type Templates } from './template-parts.ts';

export const templates: Readonly<Record<Kind, Templates>> = {
  boolean: booleanTemplates,
  ...primitiveTemplates,
  ...objectTemplates,
  IntStream: {
    leaves: ['Stream.of(3, 1, 2).mapToInt(n -> n)'],
    branches: [`${portCalls}.stream().mapToInt(<PortCall:int>)`],
  },
  LongStream: {
    leaves: ['Stream.of(5000000000L, 1L).mapToLong(n -> n)'],
    branches: [`${portCalls}.stream().mapToLong(<PortCall:long>)`],
  },
  DoubleStream: {
    leaves: ['Stream.of(0.1, 0.2, 0.3).mapToDouble(n -> n)'],
    branches: [`${portCalls}.stream().mapToDouble(<PortCall:double>)`],
  },
  OptionalInt: { leaves: ['{IntStream}.min()'], branches: ['{IntStream}.max()'] },
  OptionalLong: { leaves: ['{LongStream}.min()'], branches: ['{LongStream}.max()'] },
  OptionalDouble: { leaves: ['{DoubleStream}.min()'], branches: ['{IntStream}.average()', '{LongStream}.average()'] },
  StringArray: {
    leaves: ['"a,b,c".split(",")'],
    branches: parts(
      '{String}.split(",")  {String}.split("[ab.]")  {String}.split(",", {small})  "NOM EST".split(" ", {int})',
    ),
  },
  StringList: {
    leaves: ['List.of("NOM", "a")'],
    branches: parts(`
      Arrays.asList({String}, {String}, {String})  List.of({String}, {String})  List.of({StringArray})
      Arrays.asList({StringArray})  ${portCalls}.stream().map(<PortCall:String>).toList()
    `),
  },
  StringStream: {
    leaves: ['Stream.of("b", "a", "b")'],
    branches: parts(`
      Stream.of({String}, {String})  Stream.of({StringArray})  Arrays.stream({StringArray})
      ${portCalls}.stream().map(<PortCall:String>)
      ${portCalls}.stream().flatMap(p -> Stream.of(p.getReasonForCall(), "x"))
    `),
  },
  StringOptional: {
    leaves: ['Stream.of("b").findFirst()'],
    branches: parts(
      '{StringStream}.findFirst()  {StringStream}.filter(<String:boolean>).findAny()  ' +
        '{StringOptional}.map(<String:String>)',
    ),
  },
};

export const methodTemplates = makeMethodTemplates();

/** A condition that depends on every bit of the value `#`. */
export const conditions: Readonly<Partial<Record<Kind, string>>> = {
  boolean: '#',
  Boolean: 'Objects.equals(#, {Boolean})',
  int: '(# % 3 == 0)',
  long: '(# % 3 == 0)',
  float: '(# > {float})',
  double: '(# > {double})',
  char: '(# % 3 == 0)',
  Integer: 'Objects.equals(#, {Integer})',
  Long: 'Objects.equals(#, {Long})',
  Float: 'Objects.equals(#, {Float})',
  Double: 'Objects.equals(#, {Double})',
  Character: 'Objects.equals(#, {Character})',
  String: '(#.hashCode() % 3 == 0)',
  Date: '#.after({Date})',
  BigDecimal: '(#.toString().hashCode() % 3 == 0)',
  IntStream: '(#.sum() % 3 == 0)',
  LongStream: '(#.sum() % 3 == 0)',
  DoubleStream: '(#.sum() > {double})',
  OptionalInt: '(#.getAsInt() > {int})',
  OptionalLong: '(#.getAsLong() > {long})',
  OptionalDouble: '(#.getAsDouble() > {double})',
  StringArray: '(String.join("|", #).hashCode() % 3 == 0)',
  StringList: '(String.join("|", #).hashCode() % 3 == 0)',
  StringStream: '(String.join("|", #.toList()).hashCode() % 3 == 0)',
  StringOptional: '(#.get().hashCode() % 3 == 0)',
};
