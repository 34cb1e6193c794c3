/** AUC with a standard error that lets rows of a patient depend on each other. */

/**
 * The AUC of `score` against a 0/1 `y`, and its standard error from the placements, summed by patient.
 *
 * Source: DeLong, DeLong and Clarke-Pearson 1988, Biometrics 44:837; by clusters, Obuchowski 1997, Biometrics 53:567.
 */
export function clusteredAuc(score: readonly number[], y: readonly number[], groups: readonly string[]) {
  const order = Array.from(score.keys()).sort((a, b) => score[a] - score[b]);
  const positives = y.reduce((sum, each) => sum + each, 0);
  const counts = [y.length - positives, positives];
  const placement = new Float64Array(y.length);
  const seen = [0, 0];
  // Rows of equal scores count half to each other.
  for (let from = 0; from < order.length; ) {
    let to = from;
    const tied = [0, 0];
    while (to < order.length && score[order[to]] === score[order[from]]) tied[y[order[to++]]]++;
    for (let at = from; at < to; at++) {
      const row = order[at];
      const below = (seen[1 - y[row]] + tied[1 - y[row]] / 2) / counts[1 - y[row]];
      placement[row] = y[row] === 1 ? below : 1 - below;
    }
    seen[0] += tied[0];
    seen[1] += tied[1];
    from = to;
  }
  const auc = placement.reduce((sum, each, row) => (y[row] === 1 ? sum + each / positives : sum), 0);
  const influence = new Map<string, number>();
  groups.forEach((id, row) => {
    influence.set(id, (influence.get(id) ?? 0) + (placement[row] - auc) / counts[y[row]]);
  });
  const variance = Array.from(influence.values()).reduce((sum, each) => sum + each * each, 0);
  return { auc, se: Math.sqrt(variance) };
}
