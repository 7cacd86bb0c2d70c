// The name of the service in flags of the International Code of Signals, as on the page of the documentation.

const colours: Readonly<Record<string, string>> = { r: '#d8262c', b: '#1d57a8', y: '#f6c21c', k: '#1a1f28', w: '#fff' };

/** A flag is 18 units wide and 14 high. */
const flags: readonly (readonly (readonly [string, string])[])[] = [
  [
    ['w', 'M0 0h18v14H0z'],
    ['r', 'M9 0l9 7-9 7-9-7z'],
  ],
  [
    ['y', 'M0 0h18v14H0z'],
    ['k', 'M9 0h9v7H9zM0 7h9v7H0z'],
  ],
  [
    ['w', 'M0 0h9v14H0z'],
    ['b', 'M9 0h9l-4 7 4 7H9z'],
  ],
  [
    ['y', 'M0 0h18v14H0z'],
    ['b', 'M3 0h3v14H3zM9 0h3v14H9zM15 0h3v14h-3z'],
  ],
  [
    ['w', 'M0 0h18v14H0z'],
    ['r', 'M9 0h9v14H9z'],
  ],
  [
    ['y', 'M0 0h18v14H0z'],
    ['r', 'M0 0h18v14z'],
  ],
  [
    ['y', 'M0 0h18v14H0z'],
    ['k', 'M5.2 7a3.8 3.8 0 1 0 7.6 0a3.8 3.8 0 1 0-7.6 0z'],
  ],
  [
    ['w', 'M0 0h18v14H0z'],
    ['b', 'M5.4 4.2h7.2v5.6H5.4z'],
  ],
  [
    ['r', 'M0 0h6v14H0z'],
    ['w', 'M6 0h6v14H6z'],
    ['b', 'M12 0h6v14h-6z'],
  ],
];

export function SignalFlags() {
  return (
    <svg class="signal-flags" viewBox={`-1 -1 ${flags.length * 23 - 3} 16`} role="img" aria-label="Flaghoist">
      {flags.map((parts, index) => (
        <g key={index} transform={`translate(${index * 23})`}>
          {parts.map(([colour, path]) => (
            <path key={path} d={path} fill={colours[colour]} stroke="#7d8899" stroke-width=".3" />
          ))}
        </g>
      ))}
    </svg>
  );
}
