// The public interface of the package.

export { type DecodedBase64, decodeBase64 } from './decode-base64.ts';
export { decodeUtf8 } from './decode-utf8.ts';
export { didYouMean, meantName } from './nearest-name.ts';
export { parseDateTime } from './parse-date-time.ts';
export { placeInText } from './place-in-text.ts';
export { nameCodePoint, printable, quoteText, storableMessage } from './printable.ts';
