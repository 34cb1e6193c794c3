import { AdapterError, phrase, sentence, suggestion } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import { randomSource, sample } from '../../src/core/random.js';
import type { Rows } from '../../src/data/rows.js';
import { type FeedSettings, feedsOf } from './feeds.js';
import type { LoadedModel, OnnxPort } from './onnxFile.js';
import type { OrtTensor } from './runtime.js';

/** The output that `settings.output` names, or the only one that holds what is wanted. */
export function chosenOutput(
  { outputs }: LoadedModel,
  output: string | undefined,
  wanted: 'numbers' | 'labels',
): OnnxPort {
  const names = outputs.map(({ name }) => name);
  if (output !== undefined) {
    const named = outputs.find(({ name }) => name === output);
    if (named) return checkedTensor(named);
    const way = suggestion(output, names);
    const message = sentence('The `output` of an ONNX model', 'name one of its outputs', output, way);
    throw new AdapterError(message, { code: 'unknown_output' });
  }
  const isFloat = ({ element }: OnnxPort) => element.startsWith('float');
  const fitting = outputs.filter((port) => (wanted === 'numbers' ? isFloat(port) : !isFloat(port)) || !port.isTensor);
  if (fitting.length === 1) return checkedTensor(fitting[0]);
  if (fitting.length === 0 && outputs.length === 1) return checkedTensor(outputs[0]);
  const got = phrase(`the outputs ${names.map((name) => `'${nameText(name)}'`).join(', ')}`);
  const way = 'Pass `output`, the name of the one to use.';
  const message = sentence('An ONNX model', `have one output of ${wanted}`, got, way);
  throw new AdapterError(message, { code: 'unknown_output' });
}

function checkedTensor(port: OnnxPort): OnnxPort {
  if (port.isTensor) return port;
  const got = 'a sequence or a map, which no runtime in JavaScript reads';
  const way = "Export it again with zipmap: False (skl2onnx: options={'zipmap': False}).";
  throw outputError('invalid_model', port, 'be a tensor', got, way);
}

export interface OutputRows {
  readonly data: ArrayLike<number | bigint | string>;
  readonly rowShape: readonly number[];
}

export async function outputRows(
  model: LoadedModel,
  port: OnnxPort,
  X: Rows,
  settings: FeedSettings,
): Promise<OutputRows> {
  const collected: { data?: Float64Array | (bigint | string)[]; rowShape: readonly number[] } = { rowShape: [] };
  let done = 0;
  for await (const { rows, feeds } of feedsOf(model, X, settings)) {
    const tensor = (await model.session.run(feeds, [port.inSession]))[port.inSession];
    const rowShape = checkedRowShape(tensor, rows, port);
    if (done === 0) await checkRepeatable(model, port, X, settings);
    const width = tensor.data.length / rows;
    if (done > 0 && rowShape.join() !== collected.rowShape.join()) {
      throw wrongOutput(port, `have the shape [${collected.rowShape}] in every row`, `[${rowShape}]`);
    }
    collected.rowShape = rowShape;
    collected.data ??= typeof tensor.data[0] === 'number' ? new Float64Array(X.length * width) : [];
    if (Array.isArray(collected.data))
      for (const each of Array.from(tensor.data)) collected.data.push(each as bigint | string);
    else collected.data.set(tensor.data as ArrayLike<number>, done * width);
    done += rows;
  }
  return { data: collected.data ?? [], rowShape: collected.rowShape };
}

/**
 * Computes some rows again in batches of other rows, once for a session and output: an output that draws (dropout), or depends on
 * the other rows of a batch (batch statistics, rows taken for time steps), is no fixed model.
 */
async function checkRepeatable(model: LoadedModel, port: OnnxPort, X: Rows, settings: FeedSettings): Promise<void> {
  if (model.repeatable.has(port.name)) return;
  const most = model.rowsAtATime ?? Math.min(settings.batchSize, X.window ?? settings.batchSize);
  const together = Math.min(most, X.length);
  const order = sample(randomSource(0), X.length, together);
  // One row of many tells nothing of the others.
  if (together > 1 || most === 1) model.repeatable.add(port.name);
  const compute = async (rows: Int32Array) => {
    const rowAt = (at: number) => settings.rowAt?.(rows[at]) ?? rows[at];
    for await (const { feeds } of feedsOf(model, X.take(rows), { ...settings, rowAt })) {
      const tensor = (await model.session.run(feeds, [port.inSession]))[port.inSession];
      checkedRowShape(tensor, rows.length, port);
      return tensor.data;
    }
    return [];
  };
  const data = await compute(order);
  const width = data.length / together;
  const half = together >> 1;
  const parts = [order.subarray(0, half).toReversed(), order.subarray(half).toReversed()];
  const alone = [0, half, together - 1].map((at) => order.subarray(at, at + 1));
  const placeOf = new Map(Array.from(order, (row, at) => [row, at]));
  for (const rows of [...parts, ...alone]) {
    const again = rows.length > 0 ? await compute(rows) : [];
    for (let at = 0; at < again.length; at++) {
      const row = rows[Math.floor(at / width)];
      const first = data[(placeOf.get(row) as number) * width + (at % width)];
      const second = again[at];
      const isNear =
        typeof first === 'number' && Math.abs(first - Number(second)) <= ROUNDING * Math.max(1, Math.abs(first));
      if (first === second || isNear || Number.isNaN(first)) continue;
      const place = settings.rowAt?.(row) ?? row;
      throw outputError(
        'output_shape',
        port,
        'be the same for the same row',
        `another one for row ${place} of the rows to predict when the other rows of its batch change`,
        'Export the model for inference (no dropout, no batch statistics) with rows on its batch axis, or pass `batchSize: 1` where each row alone is right.',
        place,
      );
    }
  }
}

/** Batches of other sizes, and 16-bit floats, round differently. */
const ROUNDING = 1e-2;

/** Sizes of a row, without those of 1 at the end. */
function checkedRowShape({ dims, data }: OrtTensor, rows: number, port: OnnxPort): number[] {
  if (dims[0] !== rows || data.length === 0) {
    const must = `give one row for each of the ${rows} rows that it is given`;
    throw wrongOutput(port, must, `the shape [${dims.join(', ')}]`);
  }
  const rest = dims.slice(1);
  while (rest.length > 0 && rest[rest.length - 1] === 1) rest.pop();
  return rest;
}

export const outputError = (
  code: string,
  { name }: OnnxPort,
  must: string,
  got: string,
  way?: string,
  row?: number,
): AdapterError =>
  new AdapterError(sentence(`The output '${nameText(name)}' of the ONNX model`, must, phrase(got), way), { code, row });

export const wrongOutput = (port: OnnxPort, must: string, got: string, way?: string): AdapterError =>
  outputError('output_shape', port, must, got, way);

export const notFinite = (port: OnnxPort, value: number, row: number): AdapterError => {
  const way = 'Look at how the rows were prepared: the model may expect other units or ranges.';
  const got = `${value} for row ${row} of the rows to predict`;
  return outputError('not_finite', port, 'hold finite numbers', got, way, row);
};
