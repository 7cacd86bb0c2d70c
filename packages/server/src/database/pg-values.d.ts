// Declares the driver's function that converts a value before it is sent. The driver's own types omit it.

declare module 'pg/lib/utils.js' {
  const utilities: { prepareValue(value: unknown): string | Buffer | null };
  export default utilities;
}
