import { invalidData } from '../core/errors.js';
import { type InputOf, integer, type OptionsOf, optionTable } from '../core/options.js';
import { type RandomSource, randomInterval } from '../core/random.js';
import { classText, type Labels } from '../data/labels.js';
import { Resampler, randomStateOption, rowsByClass, samplingStrategyOption, wantedCounts } from './resampler.js';
import { completeColumns, interleaved, refuseCells, Stage } from './table.js';

const options = optionTable('SMOTE', {
  samplingStrategy: samplingStrategyOption("'auto': every class gets as many rows as the largest has."),
  kNeighbors: integer({ min: 1 })
    .default(5)
    .describe('A new row lies between a row and one of this many nearest rows of its class.'),
  randomState: randomStateOption,
});

export type SMOTEOptions = InputOf<typeof options>;

/**
 * Makes new rows of the smaller classes between neighbours (Euclidean distance: scale the columns first). In
 * `preprocessing` it acts on the training rows of each fold alone; predicted risks are then those of other class shares.
 *
 * Source: Chawla, Bowyer, Hall & Kegelmeyer 2002, J Artif Intell Res 16:321. Named as in imbalanced-learn.
 */
export class SMOTE extends Resampler<OptionsOf<typeof options>> {
  static readonly options = options;

  constructor(input?: SMOTEOptions) {
    super(options, input);
  }

  protected async draw(stage: Stage, y: Labels, random: RandomSource) {
    const { samplingStrategy, kNeighbors } = this.getParams();
    const table = await stage.table();
    const numbers = completeColumns(table, this.name);
    refuseCells('infinite', table, this.name);
    refuseCells('huge', table, this.name);
    const wanted = wantedCounts(this.name, samplingStrategy, y, true);
    const width = numbers.length;
    const cells = interleaved(numbers, table.length);
    const bases: number[] = [];
    const synthetic: number[] = [];
    rowsByClass(y).forEach((rows, code) => {
      const missing = wanted[code] - rows.length;
      if (missing === 0) return;
      if (rows.length <= kNeighbors) throw tooFew(y, code, rows.length, kNeighbors);
      const neighbours = nearestOf(cells, width, rows, kNeighbors);
      for (let each = 0; each < missing; each++) {
        const at = randomInterval(random, rows.length - 1);
        const [base, other] = [rows[at], neighbours(at)[randomInterval(random, kNeighbors - 1)]];
        const share = random.random();
        bases.push(base);
        for (let column = 0; column < width; column++) {
          const from = cells[base * width + column];
          synthetic.push(from + share * (cells[other * width + column] - from));
        }
      }
    });
    const rows = Int32Array.from([...Array.from({ length: y.length }, (_, row) => row), ...bases]);
    const columns = numbers.map((column, at) => {
      const longer = new Float64Array(rows.length);
      longer.set(column);
      for (let each = 0; each < bases.length; each++) longer[table.length + each] = synthetic[each * width + at];
      return longer;
    });
    return { stage: new Stage({ table: { length: rows.length, names: table.names, columns } }), rows };
  }
}

const tooFew = ({ classes }: Labels, code: number, count: number, kNeighbors: number) => {
  const subject = `The class ${classText(classes, code)} for SMOTE`;
  const must = `have more than ${kNeighbors} training rows (\`kNeighbors\`)`;
  return invalidData('too_few_rows', subject, must, String(count), 'Use a smaller kNeighbors, or RandomOverSampler.');
};

/** The nearest rows of a class to one of them; found when a row is first asked for. */
function nearestOf(cells: Float64Array, width: number, rows: readonly number[], k: number) {
  const known = new Map<number, readonly number[]>();
  return (at: number): readonly number[] => {
    const found = known.get(at) ?? nearest(cells, width, rows, at, k);
    known.set(at, found);
    return found;
  };
}

/** Of rows as near, the first ones. */
function nearest(cells: Float64Array, width: number, rows: readonly number[], at: number, k: number): number[] {
  const best: { row: number; distance: number }[] = [];
  rows.forEach((row, place) => {
    if (place === at) return;
    let distance = 0;
    for (let column = 0; column < width; column++) {
      distance += (cells[rows[at] * width + column] - cells[row * width + column]) ** 2;
    }
    if (best.length === k && distance >= best[k - 1].distance) return;
    let slot = best.length;
    while (slot > 0 && best[slot - 1].distance > distance) slot--;
    best.splice(slot, 0, { row, distance });
    best.length = Math.min(best.length, k);
  });
  return best.map(({ row }) => row);
}
