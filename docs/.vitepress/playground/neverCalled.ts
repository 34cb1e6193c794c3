/** Stands for parts that this page never calls, so that nobody has to load them: ONNX models, and folds in workers of their own. */
export function webWorkers(): never {
  throw new Error('The playground runs folds in one worker.');
}

export const InferenceSession = undefined;
