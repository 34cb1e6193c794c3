import type { Examples } from './index.js';

export const purged: Examples = {};
