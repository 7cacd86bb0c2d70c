// The templates of objects: boxed values, texts, dates, decimals, and the objects of the model.

import type { Kind } from './kind.ts';
import { calls, choices, parts, portCalls, type Templates } from './template-parts.ts';

export const objectTemplates = {
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
} satisfies Partial<Record<Kind, Templates>>;
