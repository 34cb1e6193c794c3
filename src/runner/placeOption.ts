import type { FoldContext, ModelPlace } from './frameworkAdapter.js';

export type PlaceContext = FoldContext & { readonly epoch?: number };

/** A path or URL with `{fold}` (and in ModelCheckpoint `{epoch}`, from 0 as everywhere) to fill in, or a function that gives the place. */
export type PlaceOption = string | ((ctx: PlaceContext) => ModelPlace);

export const isPlace = (value: unknown) =>
  typeof value === 'function' ||
  (typeof value === 'string' && value !== '' && !/^[^{]*\{.*\}/s.test(value.replace(/\{(fold|epoch)\}/g, '}')));
