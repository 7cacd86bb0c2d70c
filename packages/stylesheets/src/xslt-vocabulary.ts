// What a stylesheet may use: the elements and functions of XSLT 1.0 and XPath 1.0 that read no other document. Of
// EXSLT, it may use the modules that only compute.

export const xsltNamespace = 'http://www.w3.org/1999/XSL/Transform';
export const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';
export const exsltFunctions = 'http://exslt.org/functions';

/** The modules whose functions may be called. */
export const exsltModules: ReadonlySet<string> = new Set([
  'http://exslt.org/common',
  'http://exslt.org/math',
  'http://exslt.org/sets',
  'http://exslt.org/strings',
  'http://exslt.org/dates-and-times',
  exsltFunctions,
]);

/** Elements of these namespaces are instructions to an engine, never output. */
export function isForEngines(namespace: string): boolean {
  return engineNamespaces.some((start) => namespace.startsWith(start));
}

const engineNamespaces = [
  'http://exslt.org/',
  'http://xmlsoft.org/XSLT/',
  'http://xml.apache.org/xalan',
  'http://xml.apache.org/xslt',
  'org.apache.xalan',
  'http://www.jclark.com/xt',
  'http://icl.com/saxon',
  'http://saxon.sf.net/',
  'http://saxonica.com/',
  'http://php.net/',
  'urn:schemas-microsoft-com:xslt',
  'java:',
  'http://www.w3.org/2001/XInclude',
  'http://www.w3.org/2003/XInclude',
];

/** XSLT 1.0 without `import` and `include`. */
export const elements: ReadonlySet<string> = new Set(
  `apply-imports apply-templates attribute attribute-set call-template choose comment copy copy-of decimal-format
  element fallback for-each if key message namespace-alias number otherwise output param preserve-space
  processing-instruction sort strip-space stylesheet template text transform value-of variable when with-param`.split(
    /\s+/,
  ),
);

/** XPath 1.0 and XSLT 1.0 without `document`. */
export const functions: ReadonlySet<string> = new Set(
  `last position count id local-name namespace-uri name string concat starts-with contains substring-before
  substring-after substring string-length normalize-space translate boolean not true false lang number sum floor ceiling
  round key format-number current unparsed-entity-uri generate-id system-property element-available
  function-available`.split(/\s+/),
);

/** Attributes of instructions that are an expression as a whole. In other attributes, expressions are in braces. */
export const expressionAttributes: ReadonlySet<string> = new Set('select test match use count from value'.split(' '));
