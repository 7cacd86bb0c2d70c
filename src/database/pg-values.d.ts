// What the driver makes of a value before it sends it; its own types leave that out.

declare module 'pg/lib/utils.js' {
  const utilities: { prepareValue(value: unknown): string | Buffer | null };
  export default utilities;
}
