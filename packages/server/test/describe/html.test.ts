// The templates of the docs page: nothing that is inserted becomes markup, wherever it is inserted.

import { expect, test } from 'vitest';
import { type Html, html, proseOf } from '../../src/describe/docs-page/html.ts';

const hostile = `"><script>alert('1')</script>&amp;`;
const inText = `"&gt;&lt;script&gt;alert('1')&lt;/script&gt;&amp;amp;`;
const inAttribute = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;';

test.each<[string, Html, string]>([
  ['text', html`<p>${hostile}</p>`, `<p>${inText}</p>`],
  ['text without a tag', html`${hostile}`, inText],
  ['text of a list', html`<p>${[hostile, [hostile]]}</p>`, `<p>${inText}${inText}</p>`],
  ['text after an attribute', html`<a href="#${1}">${hostile}</a>`, `<a href="#1">${inText}</a>`],
  ['text between backticks', proseOf(`\`${hostile}\``), `<code>${inText}</code>`],
  ['an attribute', html`<a href="${hostile}">x</a>`, `<a href="${inAttribute}">x</a>`],
  ['the rest of an attribute', html`<a href="#${hostile}">x</a>`, `<a href="#${inAttribute}">x</a>`],
  ['an attribute in parts', html`<a href="${1}${hostile}">x</a>`, `<a href="1${inAttribute}">x</a>`],
  ['a second attribute', html`<a id="${1}" href="${[hostile]}">x</a>`, `<a id="1" href="${inAttribute}">x</a>`],
  ['an attribute without its tag', html` title="${hostile}"`, ` title="${inAttribute}"`],
])('%s', (_, { markup }, expected) => {
  expect(markup).toBe(expected);
});
