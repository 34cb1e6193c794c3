import { expect } from 'vitest';
import { CVKitError } from '../../src/core/errors.js';

/** Code and message of the `CVKitError` that synchronous `work` throws. */
export const failure = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(CVKitError);
    return `${(error as CVKitError).code}: ${(error as Error).message}`;
  }
  throw new Error('nothing was thrown');
};

/** Code and message of the `CVKitError` with which `work` rejects. */
export const rejection = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => new Error('nothing was thrown'),
    (thrown: unknown) => thrown as CVKitError,
  );
  expect(error).toBeInstanceOf(CVKitError);
  return `${(error as CVKitError).code}: ${(error as Error).message}`;
};
