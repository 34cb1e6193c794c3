import type { Examples } from './index.js';

export const multilabel: Examples = {};
