// A small line without axes. It only shows the shape: the figure beside it says the value.

const [width, height] = [120, 28];

export function Sparkline({ values, tone }: { values: readonly (number | null)[]; tone?: string | undefined }) {
  const known = values.filter((value) => value !== null);
  const max = Math.max(...known, 0);
  return (
    <svg
      class={`sparkline ${tone ?? ''}`}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {max > 0 && <path d={pathOf(values, max)} vector-effect="non-scaling-stroke" />}
    </svg>
  );
}

/** The line has gaps where there is no value. */
function pathOf(values: readonly (number | null)[], max: number): string {
  const step = width / Math.max(values.length - 1, 1);
  let isOpen = false;
  return values
    .map((value, index) => {
      if (value === null) {
        isOpen = false;
        return '';
      }
      const command = isOpen ? 'L' : 'M';
      isOpen = true;
      return `${command}${(index * step).toFixed(1)} ${(height - 1 - (value / max) * (height - 2)).toFixed(1)}`;
    })
    .join('');
}
