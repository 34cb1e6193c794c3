import type { Examples } from './index.js';

export const temporal: Examples = {};
