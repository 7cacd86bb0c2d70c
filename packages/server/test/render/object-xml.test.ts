// An object as XML, as stylesheets see it.

import { expect, test } from 'vitest';
import { buildModel } from '../../src/model/build-model.ts';
import { renderObjectXml } from '../../src/render/object-xml.ts';
import { typeOf } from '../snapshots/payload-fixture.ts';

const voyage = (json: string) => renderObjectXml(typeOf('Voyage'), json);

test('attributes are elements; a collection has one element per member, named after the type of the members', () => {
  const json =
    '{"key":1042,"self":"https://e.org/ws/rest/Voyage/1042","portCalls":[' +
    '{"key":7,"port":{"key":3,"portName":"Gdańsk"}},{"key":8}]}';
  expect(voyage(json)).toBe(
    '<Voyage><key>1042</key><self>https://e.org/ws/rest/Voyage/1042</self><portCalls>' +
      '<PortCall><key>7</key><port><key>3</key><portName>Gdańsk</portName></port></PortCall>' +
      '<PortCall><key>8</key></PortCall></portCalls></Voyage>',
  );
});

test('the members of a collection inside a selected reference are named too', () => {
  expect(voyage('{"vessel":{"remarks":[{"key":1}]}}')).toBe(
    '<Voyage><vessel><remarks><Remarks><key>1</key></Remarks></remarks></vessel></Voyage>',
  );
});

test('null is omitted; an empty text and an empty collection are empty elements', () => {
  expect(voyage('{"comments":null,"externalObjectKey":"","portCalls":[],"vessel":null}')).toBe(
    '<Voyage><externalObjectKey></externalObjectKey><portCalls></portCalls></Voyage>',
  );
});

test('no object is an empty element', () => {
  expect(voyage('null')).toBe('<Voyage></Voyage>');
  expect(voyage('{}')).toBe('<Voyage></Voyage>');
});

test('numbers keep their digits, booleans and dates are as in JSON', () => {
  const json =
    '{"freight":9999999999999999.99999999,"foConsumption":0.00000125,"commission":-0,' +
    '"isTc":false,"createdDate":"2026-11-15T08:30:59"}';
  expect(voyage(json)).toBe(
    '<Voyage><freight>9999999999999999.99999999</freight><foConsumption>0.00000125</foConsumption>' +
      '<commission>-0</commission><isTc>false</isTc><createdDate>2026-11-15T08:30:59</createdDate></Voyage>',
  );
});

test('JSON with white space is read too', () => {
  expect(voyage(' { "key" : 1 ,\n "portCalls" : [ { } , {"key" : 2 } ] , "vessel": { } } ')).toBe(
    '<Voyage><key>1</key><portCalls><PortCall></PortCall><PortCall><key>2</key></PortCall></portCalls>' +
      '<vessel></vessel></Voyage>',
  );
});

test.each([
  ['markup characters of XML', 'a<b>&c ]]>', 'a&lt;b&gt;&amp;c ]]&gt;'],
  ['quotes and backslashes', 'a"b\\c\\"', 'a"b\\c\\"'],
  ['a line break and a tab', 'a\n\tb', 'a\n\tb'],
  ['a carriage return, which would be parsed as a line feed', 'a\r\nb', 'a&#13;\nb'],
  ['control characters', 'a\u0000\u0001\u000B\u001Fb', 'a\uFFFD\uFFFD\uFFFD\uFFFDb'],
  ['control characters that XML allows', '\u007F\u0085', '\u007F\u0085'],
  ['noncharacters', '\uFFFE\uFFFF', '\uFFFD\uFFFD'],
  ['characters beyond 16 bits', '🚢\u{10FFFF}', '🚢\u{10FFFF}'],
])('text with %s', (_, text, xml) => {
  expect(voyage(JSON.stringify({ comments: text }))).toBe(`<Voyage><comments>${xml}</comments></Voyage>`);
});

test('a lone surrogate becomes U+FFFD, escaped or not', () => {
  expect(voyage('{"comments":"a\\ud83db"}')).toBe('<Voyage><comments>a\uFFFDb</comments></Voyage>');
  expect(voyage('{"comments":"a\uDEA2b"}')).toBe('<Voyage><comments>a\uFFFDb</comments></Voyage>');
});

test('any JSON is shown: lists have one element per item, including null', () => {
  const { types } = buildModel({
    Thing: { attributes: { details: { kind: 'json' }, tags: { kind: 'textList' } } },
  });
  expect(renderObjectXml(types.get('Thing')!, '{"details":{"a":[1,null,[true]],"b":{}},"tags":["x","y"]}')).toBe(
    '<Thing><details><a><item>1</item><item></item><item><item>true</item></item></a><b></b></details>' +
      '<tags><item>x</item><item>y</item></tags></Thing>',
  );
});

test.each([
  ['portCalls', 'portCalls'],
  ['1a', '_x0031_a'],
  ['a b', 'a_x0020_b'],
  ['xmlns', '_x0078_mlns'],
  ['XMLthing', '_x0058_MLthing'],
  ['xml:base', '_x0078_ml_x003A_base'],
  ['xsl:include', 'xsl_x003A_include'],
  ['__proto__', '__proto__'],
  ['constructor', 'constructor'],
  ['-a', '_x002D_a'],
  ['a>b</a', 'a_x003E_b_x003C__x002F_a'],
  ['größe', 'größe'],
  ['µ', '_x00B5_'],
  ['a🚢', 'a🚢'],
  ['a\u{F0000}', 'a_xF0000_'],
  ['_x0031_a', '_x005F_x0031_a'],
  ['_x0020 ', '_x005F_x0020_x0020_'],
  ['max_x', 'max_x'],
  ['', '_x0000_'],
])('XSL-19: the key %j is the element %s', (key, name) => {
  expect(voyage(`{${JSON.stringify(key)}:1}`)).toBe(`<Voyage><${name}>1</${name}></Voyage>`);
});
