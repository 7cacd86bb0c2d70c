// The templates of conditions.

import { calls, choices, parts, portCalls, type Templates } from './template-parts.ts';

const numbers = ['int', 'long', 'float', 'double', 'char', 'Integer', 'Long', 'Double'];
const references = parts('Boolean  Integer  Long  Double  String  Date  BigDecimal  Voyage  Vessel  Port  PortCall');

const comparisons = numbers.flatMap((left) =>
  ['<', '<=', '>', '>='].map(
    (operator, index) => `({${left}} ${operator} {${numbers[(numbers.indexOf(left) + index) % numbers.length]}})`,
  ),
);

const mixedSameness = numbers.slice(0, 5).flatMap((left) => numbers.map((right) => `({${left}} == {${right}})`));

/** The result depends on the exact text of the value, so that every digit counts. */
const exactTexts = ['int', 'long', 'char', 'Integer', 'Long', 'Boolean', 'String', 'BigDecimal']
  .map((kind) => `("" + {${kind}})`)
  .concat('{doubleText}', '{doubleText}')
  .flatMap((text) => [`(${text}.hashCode() % 2 == 0)`, `(${text}.hashCode() % 3 == 0)`]);

export const booleanTemplates: Templates = {
  leaves: ['true', 'false', '({int} > 0)', '({Voyage} != null)'],
  branches: [
    ...parts(`
      ({boolean} && {boolean})  ({boolean} || {boolean})  (!{boolean})  ({boolean} == {boolean})
      ({Boolean} && {boolean})  ({boolean} & {Boolean})  ({Boolean} | {boolean})  ({boolean} ^ {Boolean})
      ({boolean} | {boolean} & {boolean} ^ {boolean})  ({boolean} || {boolean} & {boolean} && {Boolean} | {boolean})
      ({int} > {int} ^ {int} == {int} & !{boolean})
    `),
    ...choices('boolean', ['Boolean', 'boolean'], ['boolean', 'Boolean']),
    ...parts(`
      {Boolean}.booleanValue()  (!{Boolean})  ({Boolean} != {boolean})  {String}.equals({String})
      {String}.equalsIgnoreCase({String})
    `),
    ...comparisons,
    ...mixedSameness,
    ...exactTexts,
    ...exactTexts,
    ...references.flatMap((kind) =>
      parts(`[${kind} == ${kind}]  [${kind} != ${kind}]  ({${kind}} == null)  (null != {${kind}})`),
    ),
    ...references.map((kind) => `{${kind}}.equals({${kind}})`),
    ...references.map((kind) => `Objects.equals({${kind}}, {${kind}})`),
    ...parts(`
      {Integer}.equals({Long})  {Long}.equals({int})  {Double}.equals({double})  {String}.equals({char})
      Objects.equals({int}, {long})  Objects.isNull({Vessel})  Objects.nonNull({Double})
      ({Vessel} instanceof Vessel)  (oldChangedObject instanceof Voyage)  (changedObject != null)
      ({Double} instanceof Number)  ({String} instanceof String)  {String}.isEmpty()
      {String}.isBlank()  {String}.startsWith({String})  {String}.endsWith({String})  {String}.contains({String})
      {String}.startsWith({String}, {int})  {String}.matches("[a-zA-Z ]*")  {String}.matches("(?i)no.*|a+")
      {String}.matches("\\\\w+|\\\\s*")  {String}.matches("^[^a]?.$")  {String}.matches("(a|b)*c{0,2}")
      {String}.matches("\\\\p{L}+")  {String}.matches("-?\\\\d+(\\\\.\\\\d+)?")  {Date}.before({Date})
      {Date}.after({Date})  {Double}.isNaN()  Double.isNaN({double})  Double.isInfinite({double})
      Character.isLetter({char})  Character.isDigit({char})  Character.isUpperCase({char})
      Character.isWhitespace({char})  ${portCalls}.isEmpty()  ${portCalls}.contains({PortCall})
      ${portCalls}.stream().anyMatch(<PortCall:boolean>)
    `),
    ...[`${portCalls}.stream().allMatch(<PortCall:boolean>)`, `${portCalls}.stream().noneMatch(<PortCall:boolean>)`],
    ...parts(`
      ${portCalls}.stream().filter(<PortCall:boolean>).anyMatch(<PortCall:boolean>)
      ${calls}.stream().anyMatch(<EventLog:boolean>)
      ${portCalls}.stream().map(<PortCall:String>).anyMatch(<String:boolean>)
      ${portCalls}.stream().map(<PortCall:Double>).noneMatch(<Double:boolean>)
    `),
    ...[`${portCalls}.stream().flatMap(p -> p.getEventLogs().stream()).anyMatch(<EventLog:boolean>)`],
    ...parts(`
      ${portCalls}.stream().map(<PortCall:Integer>).toList().contains({Integer})
      List.of("a", "NOM").contains({String})  Arrays.asList({String}, {String}).contains({String})
      Arrays.asList({Integer}, {int}).contains({Integer})  List.of({int}, {int}).contains({Integer})
      ${portCalls}.stream().filter(<PortCall:boolean>).findFirst().isPresent()
      ${portCalls}.stream().mapToDouble(<PortCall:double>).max().isPresent()  Boolean.parseBoolean({String})
      Boolean.valueOf({boolean})  ${portCalls}.stream().mapToInt(<PortCall:int>).anyMatch(<int:boolean>)
      {IntStream}.boxed().anyMatch(<Integer:boolean>)  {StringOptional}.map(<String:Integer>).isPresent()
      ${portCalls}.stream().map(<PortCall:Double>).sorted().toList().contains({Double})
      ${portCalls}.stream().map(<PortCall:Date>).sorted().findFirst().isPresent()
      ${portCalls}.equals({Voyage}.getPortCalls())  ({Date} instanceof Date)  ({Integer} instanceof Integer)
      ${portCalls}.stream().limit({small}).allMatch(<PortCall:boolean>)  ({Voyage} instanceof Object)
    `),
  ],
};
