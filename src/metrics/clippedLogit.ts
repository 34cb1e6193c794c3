/** Probabilities nearer to 0 or 1 have the log-odds of this one: 18.4. */
const CLIP = 1e-8;

/**
 * Log-odds of a probability, which is kept within [1e-8, 1 - 1e-8], so that a certain prediction counts much, but not
 * infinitely much. This is what `val.prob.ci.2` of the R package CalibrationCurves does on request.
 */
export function clippedLogit(p: number): number {
  const clipped = Math.min(1 - CLIP, Math.max(CLIP, p));
  return Math.log(clipped / (1 - clipped));
}
