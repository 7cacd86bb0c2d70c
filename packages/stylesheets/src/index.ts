// The public interface of the package.

export { decodeStylesheet } from './decode-stylesheet.ts';
export { openStylesheets, type Stylesheets, type TimedTransformResult, type Transform } from './stylesheets.ts';
