import { GroupKFold } from '../../../src/splitters/grouped/groupKFold.js';
import { RepeatedKFold } from '../../../src/splitters/iid/repeatedKFold.js';
import { TimeSeriesSplit } from '../../../src/splitters/temporal/timeSeriesSplit.js';
import type { Examples } from './index.js';

const inTime = (nSplits: number) => new TimeSeriesSplit({ nSplits });
const grouped = (nSplits: number, randomState: number) => new GroupKFold({ nSplits, randomState });

export const nested: Examples = {
  NestedCV: { examples: [{}, { outerCv: new RepeatedKFold({ nSplits: 2, nRepeats: 2, randomState: 3 }) }] },
  // The default splitters draw anew each time, as GroupKFold does without a seed.
  NestedGroupedCV: { examples: [{ outerCv: grouped(4, 1), innerCv: grouped(2, 2) }] },
  NestedTemporalCV: { examples: [{ outerCv: inTime(3), innerCv: inTime(2) }] },
};
