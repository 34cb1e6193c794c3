/** Classes of transformers that adapters add, by name: how each is made again from its JSON. */
import type { Transformer, TransformerJSON } from './transformer.js';

export const addedTransformers = new Map<string, (json: TransformerJSON) => Transformer>();
