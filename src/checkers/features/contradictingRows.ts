import type { Labels } from '../../data/labels.js';
import { hasSeveralTargets, targetColumns } from '../../data/targets.js';
import { columnHash, contentHash, type RowHash } from './contentHash.js';

/** How many rows of the clusters (`codes`; -1 for none) stand in one whose rows do not all have the same label. */
export function contradictingRows(y: Labels, codes: Int32Array): number {
  const labels = labelHash(y);
  const first = new Map<number, number>();
  const contradicting = new Set<number>();
  codes.forEach((code, row) => {
    if (code < 0) return;
    const earlier = first.get(code) ?? row;
    first.set(code, earlier);
    if (labels.low[earlier] !== labels.low[row] || labels.high[earlier] !== labels.high[row]) contradicting.add(code);
  });
  return codes.reduce((sum, code) => sum + (contradicting.has(code) ? 1 : 0), 0);
}

/** Labels by their content: equal hashes are equal labels, of any task. */
export function labelHash({ codes, numbers, indicators, ...y }: Labels): RowHash {
  if (hasSeveralTargets(y)) {
    const columns = targetColumns({ numbers, length: y.length });
    return contentHash({ n: y.length, columns: columns.map((values) => ({ name: '', kind: 'number', values })) });
  }
  const width = indicators.length / y.length;
  if (width === 0) return columnHash({ values: numbers.length > 0 ? numbers : Float64Array.from(codes) });
  return contentHash({
    n: y.length,
    columns: Array.from({ length: width }, (_, at) => labelColumn(indicators, width, at)),
  });
}

const labelColumn = (indicators: Uint8Array, width: number, at: number) => ({
  name: '',
  kind: 'number' as const,
  values: Float64Array.from({ length: indicators.length / width }, (_, row) => indicators[row * width + at]),
});
