import { Hasher } from './fingerprint.js';

/** Of what a run predicted and scored: what was computed from a result names it by that. */
export const resultFingerprint = (of: { readonly foldFingerprint: string; readonly outcome: object }): string =>
  new Hasher().text(JSON.stringify([of.foldFingerprint, of.outcome])).digest();
