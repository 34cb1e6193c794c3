import { hasAsyncContext } from '#io';
import { inCallerCode } from '../core/callerCode.js';
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';

/**
 * Refuses a run that would wait for ever: one inside another that does not say so, where runs wait for each other. It is
 * noticed up to the first `await` of a factory, a model or a hook.
 */
export function rejectDeadlock(input: { readonly parent?: unknown } | null | undefined): void {
  if (hasAsyncContext || input?.parent || !inCallerCode()) return;
  const subject = 'A run that is begun inside another one';
  const must = 'be given the `parent` option';
  const got = phrase('none, so that each would wait for the other');
  throw new InvalidOptionError(sentence(subject, must, got, 'Use parent: ctx.'), { code: 'missing_parent' });
}
