// The words of an expression for colours: close enough to Java and to the short form. The service decides what is valid.

import { StreamLanguage } from '@codemirror/language';

const variables = new Set([
  ...['svcObject', 'oldSvcObject', 'dlpObject', 'oldDlpObject', 'changedObject', 'oldChangedObject'],
  ...['old', 'prev'],
]);
const keywords = new Set(['new', 'instanceof', 'AND', 'OR', 'NOT', 'and', 'or', 'not']);
const constants = new Set(['true', 'false', 'null']);

export const expressionLanguage = StreamLanguage.define<{ isInComment: boolean }>({
  name: 'expression',
  startState: () => ({ isInComment: false }),
  token(stream, state) {
    if (state.isInComment || stream.match('/*')) {
      state.isInComment = !stream.match(/.*?\*\//);
      if (state.isInComment) stream.skipToEnd();
      return 'comment';
    }
    if (stream.eatSpace()) return null;
    if (stream.match('//')) {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.match(/"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?/)) return 'string';
    if (stream.match(/\d[\d_]*(\.\d+)?([eE][+-]?\d+)?[lLdDfF]?/)) return 'number';
    const word = stream.match(/[A-Za-z_$][\w$]*/) as RegExpMatchArray | null;
    if (word) return kindOf(word[0]);
    stream.next();
    return null;
  },
  languageData: { closeBrackets: { brackets: ['(', '[', '"', "'"] } },
});

function kindOf(word: string): string {
  if (keywords.has(word)) return 'keyword';
  if (constants.has(word)) return 'bool';
  return variables.has(word) ? 'variableName' : 'propertyName';
}
