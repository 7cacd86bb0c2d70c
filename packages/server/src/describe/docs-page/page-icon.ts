// The logos of the service, drawn in flags of the International Code of Signals. The icon shows F and H on one halyard;
// the head of the page shows the whole name.

export const iconMarkup =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true"><path ' +
  'd="M6 1v30" stroke="#7d8899" stroke-width="2" stroke-linecap="round"/><path d="M8 3h18v12H8z" ' +
  'fill="#fff"/><path d="M17 3l9 6-9 6-9-6z" fill="#d8262c"/><path d="M8 17h18v12H8z" fill="#fff"/><path d="M17 ' +
  '17h9v12h-9z" fill="#d8262c"/><path d="M8 3h18v12H8zM8 17h18v12H8z" fill="none" stroke="#7d8899" ' +
  'stroke-width=".8"/></svg>';

const colours = { red: '#d8262c', blue: '#1d57a8', yellow: '#f6c21c', black: '#1a1f28', white: '#fff' };

/** By colour, what each flag has of it. A flag is 18 units wide and 14 high. */
const flags: Record<string, Partial<Record<keyof typeof colours, string>>> = {
  F: { white: 'M0 0h18v14H0z', red: 'M9 0l9 7-9 7-9-7z' },
  L: { yellow: 'M0 0h18v14H0z', black: 'M9 0h9v7H9zM0 7h9v7H0z' },
  A: { white: 'M0 0h9v14H0z', blue: 'M9 0h9l-4 7 4 7H9z' },
  G: { yellow: 'M0 0h18v14H0z', blue: 'M3 0h3v14H3zM9 0h3v14H9zM15 0h3v14h-3z' },
  H: { white: 'M0 0h18v14H0z', red: 'M9 0h9v14H9z' },
  O: { yellow: 'M0 0h18v14H0z', red: 'M0 0h18v14z' },
  I: { yellow: 'M0 0h18v14H0z', black: 'M5.2 7a3.8 3.8 0 1 0 7.6 0a3.8 3.8 0 1 0-7.6 0z' },
  S: { white: 'M0 0h18v14H0z', blue: 'M5.4 4.2h7.2v5.6H5.4z' },
  T: { red: 'M0 0h6v14H0z', white: 'M6 0h6v14H6z', blue: 'M12 0h6v14h-6z' },
};

const name = Object.values(flags);

export const hoistMarkup = `<svg class="hoist" viewBox="-1 -1 ${name.length * 23 - 3} 16" aria-hidden="true">${name
  .map(
    (fields, index) => `<g transform="translate(${index * 23})">${Object.entries(fields).map(drawField).join('')}</g>`,
  )
  .join('')}</svg>`;

function drawField([colour, path]: [string, string]): string {
  return `<path d="${path}" fill="${colours[colour as keyof typeof colours]}" stroke="#7d8899" stroke-width=".3"/>`;
}
