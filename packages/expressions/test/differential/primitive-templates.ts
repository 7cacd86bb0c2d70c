// The templates of numbers and characters of the primitive types.

import type { Kind } from './kind.ts';
import { arithmetic, choices, parts, portCalls, type Templates } from './template-parts.ts';

export const primitiveTemplates = {
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
} satisfies Partial<Record<Kind, Templates>>;
