// The templates of random expressions, by their Java type: operators, literals, getters, and methods that need a
// template of their own. `method-templates.ts` adds a template for each other method.

import type { Kind } from './kind.ts';
import { makeMethodTemplates } from './method-templates.ts';

interface Templates {
  leaves: readonly string[];
  branches: readonly string[];
}

const numbers = ['int', 'long', 'float', 'double', 'char', 'Integer', 'Long', 'Double'];
const references = parts('Boolean  Integer  Long  Double  String  Date  BigDecimal  Voyage  Vessel  Port  PortCall');

/** Separated by two spaces or a line break. */
function parts(list: string): string[] {
  return list.trim().split(/\s{2,}/);
}

/** Every operator on every pair of types of which at least one is the given type. */
function arithmetic(kind: string, others: readonly string[]): string[] {
  return ['+', '-', '*', '/', '%'].flatMap((operator) =>
    others.flatMap((other) => [`({${kind}} ${operator} {${other}})`, `({${other}} ${operator} {${kind}})`]),
  );
}

function choices(kind: string, ...pairs: readonly [string, string][]): string[] {
  return [[kind, kind] as const, ...pairs].map(([yes, no]) => `({test} ? {${yes}} : {${no}})`);
}

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

const calls = '{PortCall}.getEventLogs()';
const portCalls = '{Voyage}.getPortCalls()';

export const templates: Readonly<Record<Kind, Templates>> = {
  boolean: {
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
  },
  int: {
    leaves: parts(`
        0  1  2  (-1)  7  31  2147483647  (-2147483648)  0x1F  0b101  017  1_000  {String}.length()
      `),
    branches: [
      ...arithmetic('int', ['int', 'Integer', 'char']),
      ...parts(`
        (-{int})  (+{char})  {Integer}.intValue()  {Long}.intValue()  {Double}.intValue()  {BigDecimal}.intValue()
        ((int) {double})  ((int) {long})  ((int) {char})  ((int) {float})  ((int) {Integer})  {String}.length()
        {String}.indexOf({String})  {String}.indexOf({char})  {String}.lastIndexOf({String})
        {String}.indexOf({String}, {int})  {String}.compareTo({String})  {String}.compareToIgnoreCase({String})
        {String}.hashCode()  {Integer}.compareTo({Integer})  {Long}.compareTo({Long})  {Double}.compareTo({Double})
        {Date}.compareTo({Date})  {Boolean}.compareTo({Boolean})  {BigDecimal}.compareTo({BigDecimal})
        {BigDecimal}.signum()  {BigDecimal}.scale()  {BigDecimal}.precision()  Math.abs({int})  Math.max({int}, {int})
        Math.min({int}, {char})  Math.round({float})  Math.floorDiv({int}, {int})  Math.floorMod({int}, {int})
        Integer.parseInt({String})  Integer.compare({int}, {int})  Integer.max({int}, {int})
        Integer.sum({int}, {int})  Integer.MAX_VALUE  Integer.MIN_VALUE  Integer.signum({int})
        Double.compare({double}, {double})  Long.compare({long}, {long})  Character.compare({char}, {char})
        ${portCalls}.size()  ${portCalls}.indexOf({PortCall})  ${portCalls}.stream().mapToInt(<PortCall:int>).sum()
        {String}.split(",").length  ${portCalls}.stream().mapToInt(<PortCall:int>).max().orElse({int})
        {String}.split("[ab.]").length  {String}.replace("😀", "").split("").length  {String}.split(",", {int}).length
      `),
      ...choices('int', ['Integer', 'int'], ['int', 'Integer']),
    ],
  },
  long: {
    leaves: parts(`
        0L  1L  (-1L)  5000000000L  9223372036854775807L  (-9223372036854775808L)  86400000L  0xFFFFFFFFFFL
      `),
    branches: [
      ...arithmetic('long', ['long', 'int', 'Long', 'Integer', 'char']),
      ...parts(`
        (-{long})  {Long}.longValue()  {Integer}.longValue()  {Double}.longValue()  {BigDecimal}.longValue()
        {Date}.getTime()  ((long) {double})  ((long) {int})  ((long) {Integer})  Math.abs({long})
        Math.max({long}, {int})  Math.min({long}, {long})  Math.round({double})  Math.floorMod({long}, {long})
        Math.floorDiv({long}, {int})  Long.parseLong({String})  Long.MAX_VALUE  Long.sum({long}, {long})
        Long.max({long}, {long})  ${portCalls}.stream().count()
        {StringStream}.map(<String:Integer>).skip({small}).count()
        ${portCalls}.stream().map(<PortCall:Double>).distinct().count()  Math.floorDiv({long}, {long})
        ${portCalls}.stream().map(<PortCall:Port>).distinct().count()  {StringStream}.sorted().limit({small}).count()
        ${portCalls}.stream().map(<PortCall:BigDecimal>).distinct().count()
        ${portCalls}.stream().map(<PortCall:int>).limit({long}).count()
        ${portCalls}.stream().filter(<PortCall:boolean>).count()
        ${portCalls}.stream().map(<PortCall:String>).distinct().count()  ${portCalls}.stream().limit({long}).count()
        ${portCalls}.stream().skip(1).filter(<PortCall:boolean>).count()
        ${portCalls}.stream().map(<PortCall:String>).count()  ${portCalls}.stream().mapToLong(<PortCall:long>).sum()
        ${portCalls}.stream().mapToLong(<PortCall:long>).min().orElse({long})
      `),
      ...choices('long', ['long', 'int'], ['Long', 'long'], ['int', 'Long'], ['Integer', 'long']),
    ],
  },
  float: {
    leaves: ['0f', '1.5f', '(-2.25f)', '100F', '1e10f', '0.1f'],
    branches: [
      ...arithmetic('float', ['float', 'int', 'Integer', 'char']),
      ...parts(`
        (-{float})  ((float) {double})  ((float) {int})  {Double}.floatValue()  {Integer}.floatValue()
        Math.abs({float})  Math.max({float}, {int})
      `),
      ...['Math.signum({float})', ...choices('float', ['float', 'int'])],
    ],
  },
  double: {
    leaves: ['0.0', '1.0', '(-1.5)', '0.1', '1e10', '1.5e-3', '2d', '.5', '1e300', '3.', '0.3'],
    branches: [
      ...arithmetic('double', ['double', 'int', 'long', 'Double', 'Integer', 'float', 'Long']),
      ...parts(`
        (-{double})  {Double}.doubleValue()  {Integer}.doubleValue()  {Long}.doubleValue()  {BigDecimal}.doubleValue()
        ((double) {int})  ((double) {long})  ((double) {Double})  Math.abs({double})  Math.max({double}, {double})
        Math.min({double}, {int})  Math.floor({double})  Math.ceil({double})  Math.rint({double})  Math.sqrt({double})
        Math.signum({double})  Math.pow({double}, 2)  Double.parseDouble({String})  Double.MAX_VALUE  Double.NaN
        Math.PI  Double.sum({double}, {double})  ${portCalls}.stream().mapToDouble(<PortCall:double>).sum()
        ${portCalls}.stream().mapToDouble(<PortCall:double>).average().orElse({double})
        ${portCalls}.stream().mapToDouble(<PortCall:double>).max().orElse({double})
        ${portCalls}.stream().mapToInt(<PortCall:int>).average().orElse({double})
        ${portCalls}.stream().mapToDouble(<PortCall:double>).min().getAsDouble()
        ${portCalls}.stream().mapToDouble(<PortCall:Double>).sum()
      `),
      ...choices(
        'double',
        ['double', 'int'],
        ['Double', 'double'],
        ['Double', 'Integer'],
        ['long', 'Double'],
        ['Integer', 'double'],
      ),
    ],
  },
  char: {
    leaves: ["'a'", "'Z'", "' '", "'\\n'", "'\\u00e9'", "'0'", "'\\''", "'\\101'"],
    branches: [
      ...parts(`
        {String}.charAt({int})  {String}.charAt(0)  ((char) {int})  ((char) {double})  Character.toUpperCase({char})
        Character.toLowerCase({char})
      `),
      ...choices('char'),
    ],
  },
  Boolean: {
    leaves: parts(`
        {Voyage}.getIsTc()  {Voyage}.isTc()  {PortCall}.getArrivalFixed()  {PortCall}.isDepartureFixed()
        {Port}.isCanal()  Boolean.TRUE  (svcObject == null ? Boolean.TRUE : null)
      `),
    branches: [
      ...parts(`
        {Voyage}.isTc()  {PortCall}.isArrivalFixed()  Boolean.valueOf({String})  {EventLog}.isDateFixed()
      `),
      ...choices('Boolean'),
      '({test} ? {boolean} : null)',
    ],
  },
  Integer: {
    leaves: parts(`
        {Voyage}.getReferenceNo()  {Vessel}.getBuiltYear()  {PortCall}.getPortCallSequence()
        (svcObject == null ? Integer.valueOf(5) : null)
      `),
    branches: [
      ...parts(`
        {Voyage}.getReferenceNo()  {Vessel}.getBuiltYear()  Integer.valueOf({int})  Integer.valueOf({String})
        ((Integer) {int})  ({test} ? null : {int})  Integer.valueOf(Objects.requireNonNullElse({Integer}, {int}))
        ${portCalls}.stream().map(<PortCall:Integer>).findFirst().orElse({int})
      `),
      ...choices('Integer'),
    ],
  },
  Long: {
    leaves: parts(`
        {Voyage}.getKey()  {Voyage}.getCreatedById()  {Vessel}.getKey()  {Port}.getChangedById()
        (svcObject == null ? Long.valueOf(5) : null)
      `),
    branches: [
      ...parts(`
        {Vessel}.getKey()  {Voyage}.getChangedById()  Long.valueOf({long})  Long.valueOf({String})
      `),
      ...choices('Long'),
      '({test} ? {long} : null)',
    ],
  },
  Double: {
    leaves: parts(`
        {Voyage}.getDaysTotal()  oldChangedObject.getDaysTotal()  {Voyage}.getFreight()  {Vessel}.getDwtSummer()
        {PortCall}.getSpeed()
        (svcObject == null ? Double.valueOf(5) : null)
      `),
    branches: [
      ...parts(`
        {Voyage}.getDaysLoading()  {PortCall}.getDaysAtSea()  Double.valueOf({double})  Double.valueOf({String})
        ({test} ? {double} : null)
      `),
      ...['Double.valueOf(Objects.requireNonNullElse({Double}, {double}))', ...choices('Double')],
    ],
  },
  String: {
    leaves: parts(`
        ""  "a"  "NOM"  "a,b"  "\\t\\"x\\\\"  "\\u00dcn\\u00ef"  {Voyage}.getVoyageStatus()  {Voyage}.getComments()
        {Port}.getPortName()  ((String) null)
      `),
    branches: [
      ...parts(`
        {Vessel}.getVesselName()  {PortCall}.getReasonForCall()  {EventLog}.getEvent()  {String}.trim()
        {String}.strip()  {String}.toUpperCase()  {String}.toLowerCase()  {String}.substring({int})
        {String}.substring(1)  {String}.substring(0, {int})  {String}.concat({String})  {String}.repeat(2)
        {String}.replace("a", "bb")  {String}.replace({char}, {char})  {String}.replace({String}, "-")
        {String}.replaceAll("[aeiou]", "<$0>")  {String}.replaceAll("(\\\\w)(\\\\w)", "$2$1")
        {String}.replace("😀", "").replaceFirst("x*", "-")  {String}.replace("😀", "").replaceAll("x*", "-")
        {String}.replaceAll("\\\\s+", "")  {String}.split(",")[{int}]  {String}.split(",")[0]  ({String} + {String})
        ({String} + {int})  ({long} + {String})  ({String} + {Boolean})  ({char} + {String})  ({String} + {Integer})
        ({String} + null)  ({String} + {BigDecimal})  ({String} + {doubleText})  ({String} + 1.5f)
        ({String} + {char} + {int})  ({int} + {char} + {String})  String.valueOf({int})  String.valueOf({char})
        String.valueOf({Integer})  String.valueOf({boolean})  Objects.toString({String}, "x")  {Integer}.toString()
        {BigDecimal}.toPlainString()  {Boolean}.toString()  String.join("-", {String}, {String})
        Integer.toString({int})  {Long}.toString()  {doubleText}  Float.valueOf(0.1f).toString()  (-{long} + {String})
        String.join({String}, {StringList})  String.join("-", {StringArray})  String.join("+", {String})
        {StringArray}[{small}]  {StringStream}.sorted().toList().get({small})
        ${portCalls}.stream().map(<PortCall:String>).findFirst().orElse({String})
        ${portCalls}.stream().map(<PortCall:String>).sorted().findFirst().get()
      `),
      ...choices('String'),
      '({test} ? {String} : null)',
    ],
  },
  Date: {
    leaves: parts(`
        {Voyage}.getEstimatedVoyageStartDate()  {PortCall}.getEta()  {Voyage}.getCreatedDate()  new Date(0L)
        ((Date) null)
      `),
    branches: [
      ...parts(`
        {PortCall}.getEtd()  {EventLog}.getEventLogDate()  new Date({long})  new Date({Date}.getTime() + 86400000)
        new Date({int})
      `),
      ...choices('Date'),
    ],
  },
  BigDecimal: {
    leaves: parts(`
        BigDecimal.ZERO  BigDecimal.ONE  new BigDecimal("1.50")  new BigDecimal("-0.003")  new BigDecimal("1E+3")
        BigDecimal.TEN  new BigDecimal("3")
      `),
    branches: [
      ...parts(`
        {BigDecimal}.add({BigDecimal})  {BigDecimal}.subtract({BigDecimal})  {BigDecimal}.multiply({BigDecimal})
        {BigDecimal}.divide({BigDecimal})  {BigDecimal}.negate()
        {BigDecimal}.divide({BigDecimal}, 2, RoundingMode.HALF_UP)
        {BigDecimal}.divide({BigDecimal}, RoundingMode.HALF_EVEN)  {BigDecimal}.setScale(1, RoundingMode.FLOOR)
        {BigDecimal}.setScale(2)  {BigDecimal}.setScale(0, RoundingMode.HALF_DOWN)  {BigDecimal}.stripTrailingZeros()
        {BigDecimal}.abs()  {BigDecimal}.max({BigDecimal})  BigDecimal.valueOf({int})  new BigDecimal({doubleText})
        {decimalOfDouble}  BigDecimal.valueOf({long}, 2)  new BigDecimal({String}.trim())  new BigDecimal({int})
        new BigDecimal({double})  {BigDecimal}.divide({BigDecimal}, 3, RoundingMode.CEILING)
        {BigDecimal}.setScale(1, RoundingMode.UP)
      `),
      ...choices('BigDecimal'),
      '({test} ? null : {BigDecimal})',
    ],
  },
  Voyage: {
    leaves: ['svcObject', 'oldSvcObject', 'dlpObject', 'oldDlpObject', '((Voyage) changedObject)'],
    branches: ['svcObject', 'oldSvcObject', '((Voyage) oldChangedObject)', ...choices('Voyage')],
  },
  Vessel: {
    leaves: ['{Voyage}.getVessel()', 'changedObject.getVessel()'],
    branches: ['{Voyage}.getVessel()', '({test} ? changedObject : oldChangedObject).getVessel()', ...choices('Vessel')],
  },
  Port: {
    leaves: ['{Voyage}.getBallastPort()'],
    branches: ['{PortCall}.getPort()', '{Voyage}.getBallastPort()', ...choices('Port')],
  },
  PortCall: {
    leaves: [`${portCalls}.get(0)`],
    branches: [
      ...parts(`
        ${portCalls}.get({int})  ${portCalls}.get(1)
        ${portCalls}.stream().filter(<PortCall:boolean>).findFirst().get()
        ${portCalls}.stream().findFirst().orElse(null)
      `),
      ...choices('PortCall'),
    ],
  },
  EventLog: { leaves: [`${calls}.get(0)`], branches: [`${calls}.get({int})`, ...choices('EventLog')] },
  Float: { leaves: ['Float.valueOf(2.5f)'], branches: ['Float.valueOf({float})', ...choices('Float')] },
  Character: { leaves: ["Character.valueOf('a')"], branches: ['Character.valueOf({char})', ...choices('Character')] },
  RoundingMode: {
    leaves: parts('RoundingMode.HALF_UP  RoundingMode.HALF_EVEN  RoundingMode.DOWN  RoundingMode.UNNECESSARY'),
    branches: parts('RoundingMode.UP  RoundingMode.CEILING  RoundingMode.FLOOR  RoundingMode.HALF_DOWN'),
  },
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
