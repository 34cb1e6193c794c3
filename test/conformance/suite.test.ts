/** Called without what they test, the suites say what they need. */
import { expect, it } from 'vitest';
import { failure } from '../helpers/failure.js';
import { adapterSuite, callbackSuite, checkSuite, metricSuite, splitterSuite } from './index.js';

const SUITES = { adapterSuite, callbackSuite, checkSuite, metricSuite, splitterSuite };

it.each(Object.entries(SUITES))('%s refuses nothing, an empty object and null', (name, suite) => {
  for (const given of [undefined, {}, null]) {
    expect(failure(() => suite(given as never))).toMatch(
      new RegExp(`^invalid_option: ${name} must be given an object with \`\\w+\` \\(\\w+\\), .*\\. Got [\\w ]+\\.$`),
    );
  }
});
