/** Further fits for intervals as a manifest has them. */

export interface CiFits {
  /** Fits on half of the patients that were made; null for none. `failed` of them failed. */
  readonly ciFitsMade: { readonly fits: number; readonly failed: number; readonly seconds: number } | null;
  /** Where none were made and they could be: what the fewest would take, in about so many seconds. */
  readonly ciFitsOffer: { readonly ciFits: number; readonly fits: number; readonly seconds: number } | null;
}

export const NO_CI_FITS: CiFits = { ciFitsMade: null, ciFitsOffer: null };
