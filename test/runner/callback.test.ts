import { expect, it } from 'vitest';
import { InvalidOptionError } from '../../src/core/errors.js';
import { CallbackError } from '../../src/runner/callback.js';

it('a CallbackError names the callback, the hook and what was thrown', () => {
  const cause = new Error('boom');
  const error = new CallbackError('Watcher', 'onFoldEnd', cause);
  expect([error.code, error.cause]).toEqual(['callback', cause]);
  expect(error.message).toMatch(/onFoldEnd.*Watcher.*boom/);
});

it('an error of cvkit is a sentence already', () => {
  const cause = new InvalidOptionError('The `monitor` option must be a log.');
  expect(new CallbackError('Watcher', 'onEpochEnd', cause).message).toMatch(
    /^The `monitor` option must be a log\..*onEpochEnd.*Watcher/,
  );
});
