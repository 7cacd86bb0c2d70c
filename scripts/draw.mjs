// Renders the drawings of the documentation: each text in docs/explanation/drawings becomes an SVG in docs/images.
// `node scripts/draw.mjs` renders all of them; with the path of a text, its SVG goes to standard output.
//
// A text has one element per line. Positions and sizes count cells of a grid, from the top left. `|` begins a new line.
//
//   title | text for those who cannot see it
//   grid <width> <height> <gapX> <gapY>           of cells, and between them, in pixels
//   area <column> <row> <columns>x<rows> | label  a frame around cells
//   box <name> <column> <row> [<columns>x<rows>] | text       a part of the service; store: something that is stored;
//                                                 actor: a program or a person outside of the service
//   arrow <name> -> <name> | label                also <-> and, dashed, ..>

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const sources = join(root, 'docs/explanation/drawings');

const [margin, areaPadding] = [28, 16];
const lineHeight = 19;
const [textSize, labelSize] = [14, 12];
/** The width of an average character, as part of the size of the font: a little more than system fonts need. */
const charWidth = 0.57;

const style = `text { font: ${textSize}px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
  fill: #1f2933; text-anchor: middle; }
.label { font-size: ${labelSize}px; fill: #52606d; paint-order: stroke; stroke: #ffffff; stroke-width: 3px; }
.areaLabel { font-size: ${labelSize}px; font-weight: 600; fill: #52606d; text-anchor: start; }
.paper { fill: #ffffff; }
.area { fill: #f5f7fa; stroke: #9aa5b1; stroke-dasharray: 6 4; }
.box { fill: #dceefb; stroke: #2b6cb0; } .store { fill: #e3f9e5; stroke: #2f8132; }
.actor { fill: #ffffff; stroke: #52606d; } .head { fill: #3e4c59; }
.arrow { fill: none; stroke: #3e4c59; stroke-width: 1.5; } .hint { stroke-dasharray: 5 4; }
@media (prefers-color-scheme: dark) {
  text { fill: #e4e7eb; } .label, .areaLabel { fill: #cbd2d9; } .label { stroke: #0d1117; } .paper { fill: #0d1117; }
  .area { fill: #161b22; stroke: #616e7c; } .box { fill: #12365c; stroke: #5aa2e0; }
  .store { fill: #14401a; stroke: #57ae5b; } .actor { fill: #0d1117; stroke: #9aa5b1; }
  .arrow { stroke: #cbd2d9; } .head { fill: #cbd2d9; }
}`;

function render(text) {
  const elements = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [parseLine(line)]));
  const of = (kind) => elements.filter((element) => element.kind === kind);
  const [width, height, gapX, gapY] = of('grid')[0].words.map(Number);
  const place = ([column, row, span = '1x1']) => {
    const [columns, rows] = span.split('x').map(Number);
    const [x, y] = [margin + column * (width + gapX), margin + areaPadding + row * (height + gapY)];
    return { x, y, width: columns * (width + gapX) - gapX, height: rows * (height + gapY) - gapY };
  };
  const shapes = new Map();
  for (const { kind, words, lines } of [...of('box'), ...of('store'), ...of('actor')])
    shapes.set(words[0], { kind, lines, ...place(words.slice(1)) });
  const areas = of('area').map(({ words, lines }) => ({ label: lines[0], ...place(words) }));
  const all = [...shapes.values(), ...areas];
  const right = Math.max(...all.map((one) => one.x + one.width)) + margin;
  const bottom = Math.max(...all.map((one) => one.y + one.height)) + margin;
  const title = escapeText(of('title')[0].lines.join(' '));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${right} ${bottom}" width="${right}" height="${bottom}" \
role="img" aria-label="${title}">
<title>${title}</title>
<style>
${style}
</style>
<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" \
orient="auto-start-reverse"><path class="head" d="M0 0 10 5 0 10z"/></marker></defs>
<rect class="paper" width="${right}" height="${bottom}"/>
${[
  ...areas.map(renderArea),
  ...of('arrow').map((arrow) => renderArrow(arrow, shapes)),
  ...[...shapes.values()].map(renderShape),
].join('\n')}
</svg>
`;
}

function parseLine(line) {
  const [head, ...lines] = line.split('|').map((part) => part.trim());
  const [kind, ...words] = head.split(/\s+/);
  return { kind, words, lines };
}

function renderArea({ label, x, y, width, height }) {
  const [left, top] = [x - areaPadding, y - areaPadding - 8];
  const frame = `<rect class="area" x="${left}" y="${top}" width="${width + 2 * areaPadding}" \
height="${height + 2 * areaPadding + 8}" rx="10"/>`;
  return `${frame}\n<text class="areaLabel" x="${left + 10}" y="${top + 16}">${escapeText(label)}</text>`;
}

function renderShape({ kind, lines, x, y, width, height }) {
  const tooLong = lines.find((line) => line.length * textSize * charWidth > width - 8);
  if (tooLong !== undefined) throw new Error(`"${tooLong}" does not fit into its box.`);
  const rect = `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}" \
rx="${kind === 'box' ? 8 : kind === 'store' ? 0 : 24}"/>`;
  return `${rect}\n${renderLines(lines, x + width / 2, y + height / 2, '')}`;
}

/** `y`: the middle of all lines. */
function renderLines(lines, x, y, attributes) {
  const top = y - ((lines.length - 1) * lineHeight) / 2 + 5;
  return lines
    .map((line, index) => `<text${attributes} x="${x}" y="${top + index * lineHeight}">${escapeText(line)}</text>`)
    .join('\n');
}

/** Straight where the two shapes face each other; otherwise across, and then up or down. */
function renderArrow({ words: [from, arrow, to], lines }, shapes) {
  const [one, other] = [from, to].map((name) => shapes.get(name));
  if (!one || !other) throw new Error(`The arrow from ${from} to ${to} needs two shapes.`);
  const middleY = middleOf([one.y, one.height], [other.y, other.height]);
  const middleX = middleOf([one.x, one.width], [other.x, other.width]);
  const [startX, endX] = facing([one.x, one.width], [other.x, other.width]);
  const [startY, endY] = facing([one.y, one.height], [other.y, other.height]);
  const cornerX = other.x + other.width / 2;
  const y = one.y + one.height / 2;
  let path = `M${startX} ${y}H${cornerX}V${endY}`;
  if (middleX !== undefined) path = `M${middleX} ${startY}V${endY}`;
  if (middleY !== undefined) path = `M${startX} ${middleY}H${endX}`;
  const heads = `marker-end="url(#head)"${arrow === '<->' ? ' marker-start="url(#head)"' : ''}`;
  const line = `<path class="arrow${arrow === '..>' ? ' hint' : ''}" d="${path}" ${heads}/>`;
  if (lines.length === 0) return line;
  const isVertical = middleY === undefined && middleX !== undefined;
  const [x, above] = isVertical
    ? [middleX + 8, (startY + endY) / 2]
    : [(startX + (middleY === undefined ? cornerX : endX)) / 2, (middleY ?? y) - 4 - (lines.length * lineHeight) / 2];
  const anchor = isVertical ? ' class="label" style="text-anchor: start"' : ' class="label"';
  return `${line}\n${renderLines(lines, x, above, anchor)}`;
}

/** The middle of what two ranges have in common. Undefined: nothing. */
function middleOf([start, size], [otherStart, otherSize]) {
  const [from, to] = [Math.max(start, otherStart), Math.min(start + size, otherStart + otherSize)];
  return from < to ? (from + to) / 2 : undefined;
}

/** The sides of two ranges that face each other. */
function facing([start, size], [otherStart, otherSize]) {
  return start < otherStart ? [start + size, otherStart] : [start, otherStart + otherSize];
}

function escapeText(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

const source = process.argv[2];
if (source !== undefined) process.stdout.write(render(readFileSync(source, 'utf8')));
else
  for (const name of readdirSync(sources)) {
    const svg = join(root, 'docs/images', `${basename(name, '.txt')}.svg`);
    writeFileSync(svg, render(readFileSync(join(sources, name), 'utf8')));
  }
