import type { Examples } from './index.js';

export const clustered: Examples = {};
