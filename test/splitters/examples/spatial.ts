import type { Examples } from './index.js';

export const spatial: Examples = {};
