import type { Examples } from './index.js';

export const nested: Examples = {};
