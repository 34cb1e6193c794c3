import type { Examples } from './index.js';

export const givenFolds: Examples = {};
