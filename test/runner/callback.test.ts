import { expect, it } from 'vitest';
import { CallbackError } from '../../src/runner/callback.js';

it('a CallbackError names the callback, the hook and what was thrown', () => {
  const cause = new Error('boom');
  const error = new CallbackError('Watcher', 'onFoldEnd', cause);
  expect([error.code, error.cause]).toEqual(['callback', cause]);
  expect(error.message).toMatch(/onFoldEnd.*Watcher.*boom/);
});
